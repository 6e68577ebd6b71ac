public import NetworkEngine

/// Limits concurrent exchanges, overall and per host. Excess requests wait in a bounded queue.
///
/// ```swift
/// let limit = ConcurrencyLimit(total: 64, perHost: 6, queueLength: 1000)
/// let provider = NetworkProvider<UserAPI>(interceptor: limit)
/// ```
/// The queue is ordered by priority (`TargetType.priority`) and arrival, without starvation. The wait counts for the
/// call's deadline, not for the timeout. A credential refresh goes first, with a reserved permit beyond the limits. A
/// request fails at once with an error of kind `.limit` if the queue is full, so that a burst cannot take all memory. A
/// burst of 5,000 calls needs a `queueLength` of 5,000. Copies share the permits.
///
/// The limit applies to each exchange: a call holds no permit while it waits for a retry, a credential or the network.
/// A stream returns its permit when the response head arrives.
public struct ConcurrencyLimit: ExchangeInterceptor, NonAdaptingInterceptor {
    private let queue: Locked<PermitQueue>

    /// The number of requests in the queue.
    package var waitingCount: Int { queue.withLock { $0.waitingCount } }

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - total: the maximum number of concurrent exchanges; at least 1.
    ///   - perHost: the maximum number of concurrent exchanges with one scheme, host and port; at least 1.
    ///   - queueLength: the maximum number of requests that wait. More fail at once.
    public init(total: Int = 64, perHost: Int = 6, queueLength: Int = 1000) {
        queue = Locked(PermitQueue(total: total, perHost: perHost, length: queueLength))
    }

    /// It waits, but never beyond the call's deadline.
    public var stage: InterceptorStage { .sending }

    public var mayWait: Bool { false }

    /// Changes the limits. Running exchanges continue; waiting requests get the additional permits.
    public func resize(total: Int, perHost: Int) {
        let permits = queue.withLock { $0.resize(total: total, perHost: perHost) }
        for permit in permits { permit.settle(()) }
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let rank = context.call.options.transport.rank
        let host = request.url.origin.text
        guard let claim = queue.withLock({ $0.enter(host: host, rank: rank) }) else {
            let reason = "the queue of the ConcurrencyLimit is full: \(waitingCount) requests are waiting to be sent"
            throw NetworkError(kind: .limit, reason: reason, request: request)
        }
        if let permit = claim.permit { try await wait(for: permit, claim, request, context) }
        defer { leave(claim) }
        return try await next(request)
    }

    private func wait(
        for permit: OneShot<Void>,
        _ claim: PermitQueue.Claim,
        _ request: HTTPRequest,
        _ context: RequestContext
    ) async throws {
        let result: Void? = try? await context.value(of: permit)
        if result != nil, !Task.isCancelled { return }
        // The permit can arrive at the same time. It must not be lost.
        let hasPermit = queue.withLock { !$0.withdraw(claim) }
        if hasPermit { leave(claim) }
        throw Task.isCancelled ? NetworkError.cancelled(request) : NetworkError.deadlinePassed(request, isQueued: true)
    }

    private func leave(_ claim: PermitQueue.Claim) {
        let next = queue.withLock { $0.leave(claim) }
        next?.settle(())
    }
}
