/// Sends a request a second time when the first takes long, and uses whichever answer comes first.
///
/// ```swift
/// let hedging = Hedging(after: .milliseconds(300), extraLoad: 0.1)
/// let provider = NetworkProvider<UserAPI>(interceptor: hedging)
/// ```
/// Only methods that may be repeated and requests with an `Idempotency-Key`, and only for so large a part of all requests
/// as `extraLoad` says. A first one that fails for a reason that may pass, or is answered with 429 or 500 and more, starts
/// the second at once; when both fail, the first one's failure counts. The other one is cancelled and waited for. It takes the place of retrying:
/// a call that has both makes twice as many requests, and `validate()` says so. Copies share the budget, and what they know
/// of how long answers take.
public struct Hedging: RequestInterceptor {
    private let delay: HedgeDelay
    private let timebase: Timebase
    private let budget: Locked<HedgeBudget>

    public init(after delay: Duration, extraLoad: Double = 0.1, clock: any Clock<Duration> = ContinuousClock()) {
        self.init(HedgeDelay(delay), extraLoad, clock)
    }

    /// Sends a second request when the first takes longer than this part of the answers of late.
    ///
    /// ```swift
    /// let hedging = Hedging(afterPart: 0.95, first: .milliseconds(500))
    /// ```
    /// - Parameter first: the delay until twenty answers have come.
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
                    let isGood = Self.isGood(result)
                    if isGood { delay.learn(timebase.now - start) }
                    action = isGood ? race.succeeded(runner) : race.failed(runner, mayPass: Self.mayPass(result))
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

    private static func mayPass(_ result: Result<HTTPResponse, any Error>) -> Bool {
        guard case .failure(let error) = result else { return true }
        return (error as? NetworkError).map { RetryCause($0, statuses: []) != nil } ?? false
    }

    private static func isGood(_ result: Result<HTTPResponse, any Error>) -> Bool {
        guard case .success(let response) = result else { return false }
        return response.statusCode < 500 && response.statusCode != 429
    }
}
