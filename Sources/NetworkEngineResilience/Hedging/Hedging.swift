public import NetworkEngine

/// Sends a request a second time if the first response is slow, and uses the response that arrives first.
///
/// ```swift
/// let hedging = Hedging(after: .milliseconds(300), extraLoad: 0.1)
/// let provider = NetworkProvider<UserAPI>(interceptor: hedging)
/// ```
/// Applies to methods that are safe to repeat and to requests with an `Idempotency-Key`. `extraLoad` limits the share
/// of requests that are sent twice, counted from the first request: with 0.1, no request before the tenth is sent
/// twice. If the first request fails temporarily or returns a 429 or a status of 500 or more, the second request starts
/// immediately. If both fail, the call fails with the first failure. A status from 400 to 499 of one request is not
/// final while the other is still running, unless the method is safe, because the second can be rejected as a result of
/// the first. The slower request is canceled, and the call waits until it has ended. Use hedging instead of retries: a
/// call with both can make twice as many requests, and `validate()` rejects such a list. Copies share the budget and
/// the measured response times.
public struct Hedging: RequestInterceptor, NonAdaptingInterceptor, ComposedInterceptor {
    private let delay: HedgeDelay
    private let timebase: Timebase
    private let budget: Locked<HedgeBudget>

    /// Sends a second request if the first takes longer than this delay.
    ///
    /// - Parameters:
    ///   - extraLoad: the share of requests that can be sent twice, from 0 to 1.
    ///   - clock: measures the delay.
    public init(after delay: Duration, extraLoad: Double = 0.1, clock: any Clock<Duration> = ContinuousClock()) {
        self.init(HedgeDelay(delay), extraLoad, clock)
    }

    /// Sends a second request if the first takes longer than this share of recent responses.
    ///
    /// ```swift
    /// let hedging = Hedging(afterPart: 0.95, first: .milliseconds(500))
    /// ```
    /// - Parameter first: the delay until twenty responses have arrived.
    public init(
        afterPart part: Double,
        first: Duration = .seconds(1),
        extraLoad: Double = 0.1,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(HedgeDelay(first, part: part), extraLoad, clock)
    }

    private init(_ delay: HedgeDelay, _ extraLoad: Double, _ clock: any Clock<Duration>) {
        self.delay = delay
        timebase = .reading(clock)
        budget = Locked(HedgeBudget(extraLoad: extraLoad))
    }

    package static let compositionRules: [CompositionRule] = [
        .unique,
        .excludes(RetryPolicy.self, because: "a call with both can make twice as many requests; keep one of them"),
        .excludes(DefaultInterceptor.self, because: "DefaultInterceptor has a RetryPolicy inside; keep one of them"),
        .follows(IdempotencyKey.self, because: "only requests with a key can be sent twice whatever their method"),
    ]

    private enum Event: Sendable {
        case delayPassed
        case ended(HedgeRace.Runner, Result<HTTPResponse, any Error>)
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        budget.withLock { $0.earn() }
        let response = try await hedged(request, context, next)
        // A stored response did not cause a request, and adds nothing to the budget.
        if response.source == .cache { budget.withLock { $0.giveBack() } }
        return response
    }

    private func hedged(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: @escaping Next
    ) async throws -> HTTPResponse {
        guard request.isRepeatable, !context.isRefresh, !context.isStreaming else { return try await next(request) }
        let start = timebase.now
        let result = await withTaskGroup(of: Event.self, returning: Result<HTTPResponse, any Error>.self) { group in
            let send: @Sendable (HedgeRace.Runner) async -> Event = { runner in
                do {
                    return .ended(runner, .success(try await next(request)))
                } catch {
                    return .ended(runner, .failure(error))
                }
            }
            group.addTask { await send(.primary) }
            group.addTask { [timebase, delay] in
                try? await timebase.sleep(until: start + delay.current)
                return .delayPassed
            }
            var race = HedgeRace()
            var results: [HedgeRace.Runner: Result<HTTPResponse, any Error>] = [:]
            while let event = await group.next() {
                var action: HedgeRace.Action
                switch event {
                case .delayPassed: action = Task.isCancelled ? .wait : race.delayPassed()
                case .ended(let runner, let result):
                    results[runner] = result
                    // The two can interfere: the server may report to one that the other is being processed, or has
                    // been.
                    let isDisturbed = race.isRunningBoth && !request.method.isSafe && Self.isRefusal(result)
                    let isGood = Self.isGood(result) && !isDisturbed
                    if isGood, !Self.isStored(result) { delay.learn(timebase.now - start) }
                    let isTemporary = Self.isTemporary(result)
                    action = isGood ? race.succeeded(runner) : race.failed(runner, isTemporary: isTemporary)
                }
                if action == .startHedge {
                    let isPaid = !Task.isCancelled && budget.withLock { $0.spend() }
                    if isPaid { group.addTask { await send(.hedge) } }
                    action = race.hedgeStarted(isPaid)
                }
                guard case .finish(let winner) = action, let result = results[winner] else { continue }
                group.cancelAll()
                return result
            }
            return .failure(CancellationError())
        }
        return try result.get()
    }

    private static func isTemporary(_ result: Result<HTTPResponse, any Error>) -> Bool {
        guard case .failure(let error) = result else { return true }
        return (error as? NetworkError).map { RetryCause($0, statuses: []) != nil } ?? false
    }

    private static func isRefusal(_ result: Result<HTTPResponse, any Error>) -> Bool {
        guard case .success(let response) = result else { return false }
        return (400..<500).contains(response.statusCode)
    }

    private static func isStored(_ result: Result<HTTPResponse, any Error>) -> Bool {
        guard case .success(let response) = result else { return false }
        return response.source == .cache
    }

    private static func isGood(_ result: Result<HTTPResponse, any Error>) -> Bool {
        guard case .success(let response) = result else { return false }
        return response.statusCode < 500 && response.statusCode != 429
    }
}
