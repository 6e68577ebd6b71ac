public import NetworkEngine

/// Limits the rate of requests to each host, and pauses after a 429 with a `Retry-After`.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptor: RateLimit(10, per: .seconds(1), burst: 20))
/// ```
/// Requests wait for their turn in order of arrival. A request fails with a `.limit` error as soon as its turn would be
/// later than `maxWait` or the call's deadline. A canceled request passes its turn to the next one. No pause is longer
/// than an hour. A credential refresh does not wait. Copies share the limit.
public struct RateLimit: ExchangeInterceptor, NonAdaptingInterceptor {
    /// How long a request may wait for its turn.
    public var maxWait: Duration = .seconds(60)
    /// Prevents one response from blocking a host for the process's lifetime.
    private static let longestPause = Duration.seconds(3600)
    private let timebase: Timebase
    private let schedule: Locked<RateSchedule>

    /// The number of requests that wait for their turn.
    var waitingCount: Int { schedule.withLock { $0.waitingCount } }

    /// - Parameter burst: the number of requests that can be sent immediately after an idle time.
    public init(
        _ count: Int,
        per time: Duration = .seconds(1),
        burst: Int = 1,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        timebase = .reading(clock)
        schedule = Locked(RateSchedule(count: count, per: time, burst: burst))
    }

    public var stage: InterceptorStage { .sending }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let host = request.url.origin.text
        if !context.isRefresh { try await waitForTurn(with: host, request, context) }
        let response = try await next(request)
        if response.statusCode == 429 { pause(host, after: response) }
        return response
    }

    private func waitForTurn(with host: String, _ request: HTTPRequest, _ context: RequestContext) async throws {
        let now = timebase.now
        let limit = max(.zero, min(maxWait.bounded, context.timeLeft ?? maxWait.bounded))
        switch schedule.withLock({ $0.enter(host, at: now, within: limit) }) {
        case .go: return
        case .refused: throw rateExceeded(request)
        case .waits(let claim):
            let deadline = context.call.options.transport.deadline
            deadline?.move(from: nil, to: .queue)
            defer { deadline?.move(from: .queue, to: nil) }
            do {
                try await claim.isFirst.wait()
                while let time = try proceed(with: claim, request) {
                    try await sleep(until: time, or: claim.isCancelled)
                }
            } catch {
                schedule.withLock { $0.withdraw(claim) }?.settle(())
                throw error
            }
        }
    }

    /// Returns how long to wait; `nil` if it is the request's turn.
    private func proceed(with claim: RateSchedule.Claim, _ request: HTTPRequest) throws -> Duration? {
        let now = timebase.now
        switch schedule.withLock({ $0.step(claim, at: now) }) {
        case .waits(let time): return time
        case .refused: throw rateExceeded(request)
        case .go(let next):
            next?.settle(())
            return nil
        }
    }

    private func sleep(until time: Duration, or cancellation: OneShot<Void>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [timebase] in try await timebase.sleep(until: time) }
            group.addTask { try await cancellation.wait() }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    private func rateExceeded(_ request: HTTPRequest) -> NetworkError {
        NetworkError(
            kind: .limit, reason: "the rate limit of the host does not allow another request in time", request: request)
    }

    private func pause(_ host: String, after response: HTTPResponse) {
        guard let pause = NetworkError(kind: .status, response: response).retryAfter else { return }
        let now = timebase.now
        let moved = schedule.withLock { $0.pause(host, until: now + min(pause, Self.longestPause), at: now) }
        for turn in moved { turn.settle(()) }
    }
}
