import NetworkEngine

/// Permits and a bounded queue of waiting requests; a pure value.
struct PermitQueue: Sendable {
    struct Claim: Sendable {
        let ticket: Permit
        /// Settled when the request has a permit; `nil` if it already has one.
        let permit: OneShot<Void>?
        /// Identifies requests that take about the same time; `nil` if unknown.
        let kind: String?
    }

    private let length: Int
    private var queue: WaitingQueue
    private var waiters: [Permit: OneShot<Void>] = [:]

    init(total: Int, perHost: Int, length: Int) {
        self.length = max(0, length)
        queue = WaitingQueue(perHost: perHost, total: total)
    }

    var waitingCount: Int { waiters.count }
    var runningCount: Int { queue.runningCount }

    /// Takes a permit or joins the queue; returns `nil` if the queue is full. A refresh always joins.
    mutating func enter(host: String, rank: WaitingQueue.Rank, kind: String? = nil) -> Claim? {
        let (ticket, isAdmitted) = queue.enter(host: host, rank: rank)
        if isAdmitted { return Claim(ticket: ticket, permit: nil, kind: kind) }
        guard waiters.count < length || rank == .refresh else {
            _ = queue.withdraw(ticket)
            return nil
        }
        let permit = OneShot<Void>()
        waiters[ticket] = permit
        return Claim(ticket: ticket, permit: permit, kind: kind)
    }

    /// Whether a request that has received its permit can still be answered in the remaining time.
    ///
    /// Only answers to similar requests can show that it can't: a host that is slow for others can be fast for this
    /// one.
    func isInTime(_ claim: Claim, timeLeft: Duration?) -> Bool {
        guard let timeLeft else { return true }
        guard timeLeft > .zero, let kind = claim.kind else { return timeLeft > .zero }
        return timeLeft >= queue.shortestService(of: claim.ticket.host, for: kind) ?? .zero
    }

    /// A request's exchange begins.
    ///
    /// - Returns: the number of exchanges with its host, including this one.
    mutating func begin(_ claim: Claim, timeLeft: Duration?) -> Int {
        if let timeLeft { queue.begin(claim.ticket, timeLeft: timeLeft) }
        return queue.runningCount(of: claim.ticket.host)
    }

    /// Leaves the queue.
    ///
    /// - Parameter isLate: whether the call's deadline has passed.
    /// - Returns: whether the request was still in the queue; `false` if it has a permit.
    mutating func withdraw(_ claim: Claim, isLate: Bool = false) -> Bool {
        waiters[claim.ticket] = nil
        return queue.withdraw(claim.ticket, isLate: isLate)
    }

    /// Changes the limits.
    ///
    /// - Returns: the waiters that now have a permit.
    mutating func resize(total: Int, perHost: Int) -> [OneShot<Void>] {
        waiters(of: queue.resize(perHost: perHost, total: total))
    }

    /// Returns the permit of a request that can no longer be answered in time.
    ///
    /// - Returns: the waiter that now has a permit.
    mutating func decline(_ claim: Claim) -> OneShot<Void>? {
        queue.decline(claim.ticket).flatMap { waiters.removeValue(forKey: $0) }
    }

    /// Returns a permit.
    ///
    /// - Parameter service: what the exchange revealed about the host.
    /// - Returns: the waiters that now have a permit: more than one if the host's limit has grown.
    mutating func leave(_ claim: Claim, after service: HostLoad.Service? = nil) -> [OneShot<Void>] {
        let host = claim.ticket.host
        let limit = queue.limit(of: host)
        let next = queue.leave(claim.ticket, after: service, of: claim.kind)
        if waiters.isEmpty { return [] }
        let others = queue.limit(of: host) > limit ? queue.admitAll() : []
        return waiters(of: (next.map { [$0] } ?? []) + others)
    }

    private mutating func waiters(of permits: [Permit]) -> [OneShot<Void>] {
        permits.compactMap { waiters.removeValue(forKey: $0) }
    }
}
