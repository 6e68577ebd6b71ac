package import NetworkEngine

/// Permits and a bounded queue of the requests that wait for one; a pure value.
package struct PermitQueue: Sendable {
    package struct Claim: Sendable {
        package let ticket: Permit
        /// Settled when the request has a permit; `nil` if it has one already.
        package let permit: OneShot<Void>?
    }

    private let length: Int
    private var queue: WaitingQueue
    private var waiters: [Permit: OneShot<Void>] = [:]

    package init(total: Int, perHost: Int, length: Int) {
        self.length = max(0, length)
        queue = WaitingQueue(perHost: perHost, total: total)
    }

    package var waitingCount: Int { waiters.count }
    package var runningCount: Int { queue.runningCount }

    /// Takes a permit or joins the queue; returns `nil` if the queue is full. A refresh always joins.
    package mutating func enter(host: String, rank: WaitingQueue.Rank) -> Claim? {
        let (ticket, isAdmitted) = queue.enter(host: host, rank: rank)
        if isAdmitted { return Claim(ticket: ticket, permit: nil) }
        guard waiters.count < length || rank == .refresh else {
            _ = queue.withdraw(ticket)
            return nil
        }
        let permit = OneShot<Void>()
        waiters[ticket] = permit
        return Claim(ticket: ticket, permit: permit)
    }

    /// Leaves the queue.
    ///
    /// - Returns: whether the request was still in the queue; `false` if it has a permit.
    package mutating func withdraw(_ claim: Claim) -> Bool {
        waiters[claim.ticket] = nil
        return queue.withdraw(claim.ticket)
    }

    /// Changes the limits.
    ///
    /// - Returns: the waiters that have a permit now.
    package mutating func resize(total: Int, perHost: Int) -> [OneShot<Void>] {
        queue.resize(perHost: perHost, total: total).compactMap { waiters.removeValue(forKey: $0) }
    }

    /// Returns a permit.
    ///
    /// - Returns: the waiter that has a permit now.
    package mutating func leave(_ claim: Claim) -> OneShot<Void>? {
        queue.leave(claim.ticket).flatMap { waiters.removeValue(forKey: $0) }
    }
}
