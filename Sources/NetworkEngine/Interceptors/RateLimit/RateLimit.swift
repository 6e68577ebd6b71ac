/// Asks each host no more often than this, and not at all for as long as it has asked for with 429 and `Retry-After`.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptor: RateLimit(10, per: .seconds(1), burst: 20))
/// ```
/// Requests wait for their turn, in order of arrival, and fail at once with an error of kind `.limit` when that would take
/// longer than `maxWait` or than the call has left. No pause is longer than an hour. A renewal of a credential does not wait. Copies share the count.
public struct RateLimit: ExchangeInterceptor {
    /// The longest that a request waits for its turn.
    public var maxWait: Duration = .seconds(60)
    /// One answer must not silence a host for as long as the process lives.
    private static let longestPause = Duration.seconds(3600)
    private let timebase: Timebase
    private let schedule: Locked<RateSchedule>

    /// - Parameter burst: how many may go at once after a time without any.
    public init(
        _ count: Int,
        per time: Duration = .seconds(1),
        burst: Int = 1,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        timebase = .reading(clock)
        schedule = Locked(RateSchedule(count: count, per: time, burst: burst))
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let host = request.url.origin
        if !context.isRefresh { try await waitForTurn(with: host, request, context) }
        let response = try await next(request)
        if response.statusCode == 429 { pause(host, after: response) }
        return response
    }

    private func waitForTurn(with host: String, _ request: HTTPRequest, _ context: RequestContext) async throws {
        let start = timebase.now
        while true {
            let now = timebase.now
            let limit = min(maxWait - (now - start), context.timeLeft ?? maxWait)
            guard let turn = schedule.withLock({ $0.turn(with: host, at: now, within: limit) }) else {
                throw NetworkError(kind: .limit, reason: "the host may not be asked so often", request: request)
            }
            guard turn.time > now else { return }
            do {
                try await timebase.sleep(until: turn.time)
            } catch {
                schedule.withLock { $0.giveBack(turn, with: host) }
                throw error
            }
            let isValid = schedule.withLock { $0.isValid(turn, with: host, at: timebase.now) }
            if isValid { return }
        }
    }

    private func pause(_ host: String, after response: HTTPResponse) {
        guard let pause = NetworkError(kind: .status, response: response).retryAfter else { return }
        let now = timebase.now
        schedule.withLock { $0.pause(host, until: now + min(pause, Self.longestPause), at: now) }
    }
}
