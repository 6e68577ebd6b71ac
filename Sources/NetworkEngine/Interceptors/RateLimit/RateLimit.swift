/// Asks each host no more often than this, and not at all for as long as it has asked for with 429 and `Retry-After`.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptor: RateLimit(10, per: .seconds(1), burst: 20))
/// ```
/// Requests wait for their turn in order of arrival. A request fails with an error of kind `.limit` as soon as its turn is
/// further away than `maxWait` or the call's deadline. A request that is cancelled gives its turn to the next one. No pause
/// is longer than an hour. A renewal of a credential does not wait. Copies share the count.
public struct RateLimit: ExchangeInterceptor {
    /// The longest that a request waits for its turn.
    public var maxWait: Duration = .seconds(60)
    /// One answer must not silence a host for as long as the process lives.
    private static let longestPause = Duration.seconds(3600)
    private let timebase: Timebase
    private let schedule: Locked<RateSchedule>

    /// How many wait for their turn.
    package var waitingCount: Int { schedule.withLock { $0.waitingCount } }

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
        case .mayGo: return
        case .refused: throw tooOften(request)
        case .waits(let claim):
            do {
                try await claim.isFirst.wait()
                while let time = try proceed(with: claim, request) { try await sleep(until: time, or: claim.isGone) }
            } catch {
                schedule.withLock { $0.withdraw(claim) }?.settle(())
                throw error
            }
        }
    }

    /// The time to wait for; `nil` when the request may go.
    private func proceed(with claim: RateSchedule.Claim, _ request: HTTPRequest) throws -> Duration? {
        let now = timebase.now
        switch schedule.withLock({ $0.step(claim, at: now) }) {
        case .waits(let time): return time
        case .refused: throw tooOften(request)
        case .mayGo(let next):
            next?.settle(())
            return nil
        }
    }

    private func sleep(until time: Duration, or gone: OneShot<Void>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [timebase] in try await timebase.sleep(until: time) }
            group.addTask { try await gone.wait() }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    private func tooOften(_ request: HTTPRequest) -> NetworkError {
        NetworkError(kind: .limit, reason: "the host may not be asked so often", request: request)
    }

    private func pause(_ host: String, after response: HTTPResponse) {
        guard let pause = NetworkError(kind: .status, response: response).retryAfter else { return }
        let now = timebase.now
        let moved = schedule.withLock { $0.pause(host, until: now + min(pause, Self.longestPause), at: now) }
        for turn in moved { turn.settle(()) }
    }
}
