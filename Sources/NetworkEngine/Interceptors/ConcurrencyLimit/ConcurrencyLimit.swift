/// Lets so many exchanges run at a time, in all and with each host; the others wait in a line, and it has an end.
///
/// ```swift
/// let limit = ConcurrencyLimit(total: 64, perHost: 6, queueLength: 1000)
/// let provider = NetworkProvider<UserAPI>(interceptor: limit)
/// ```
/// The line moves in order of priority (`TargetType.priority`) and arrival, and nobody is passed over without end. Waiting counts for the call's deadline, not for the timeout. A
/// renewal of a credential goes first, and has a place of its own beyond all limits. Who finds the line full fails at once
/// with an error of kind `.limit`. Copies share the places.
///
/// Acts on each exchange: a call that waits for a pause, a credential or the network holds no place. A stream gives its
/// place back when its head has come.
public struct ConcurrencyLimit: ExchangeInterceptor {
    private let line: Locked<PermitQueue>

    /// How many wait for a place.
    package var waitingCount: Int { line.withLock { $0.waitingCount } }

    public init(total: Int = 64, perHost: Int = 6, queueLength: Int = 1000) {
        line = Locked(PermitQueue(total: total, perHost: perHost, length: queueLength))
    }

    /// It waits, but never beyond the call's deadline.
    public var mayWait: Bool { false }

    /// Changes how many may run at a time. Who runs goes on; who waits gets the places that are new.
    public func resize(total: Int, perHost: Int) {
        let turns = line.withLock { $0.resize(total: total, perHost: perHost) }
        for turn in turns { turn.settle(()) }
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let rank = context.call.transport.rank
        let host = request.url.origin.text
        guard let claim = line.withLock({ $0.enter(host: host, rank: rank) }) else {
            throw NetworkError(kind: .limit, reason: "too many requests wait for a place", request: request)
        }
        if let turn = claim.turn { try await wait(for: turn, claim, request, context) }
        defer { leave(claim) }
        return try await next(request)
    }

    private func wait(
        for turn: OneShot<Void>,
        _ claim: PermitQueue.Claim,
        _ request: HTTPRequest,
        _ context: RequestContext
    ) async throws {
        let place: Void? = try? await context.value(of: turn)
        if place != nil, !Task.isCancelled { return }
        // The place may have come at the same time, and must not be lost.
        let hasPlace = line.withLock { !$0.withdraw(claim) }
        if hasPlace { leave(claim) }
        throw Task.isCancelled ? NetworkError.cancelled(request) : NetworkError.deadlinePassed(request, isQueued: true)
    }

    private func leave(_ claim: PermitQueue.Claim) {
        let next = line.withLock { $0.leave(claim) }
        next?.settle(())
    }
}
