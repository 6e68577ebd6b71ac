/// What waits for permits, in the order of an admission queue. A pure value.
package struct AdmissionTable<Waiter> {
    package typealias Ticket = AdmissionQueue.Ticket
    package typealias Admission = (waiter: Waiter, permit: Ticket)

    private var queue: AdmissionQueue
    private var waiters: [Ticket: Waiter] = [:]

    package init(perHost: Int, total: Int) { queue = AdmissionQueue(perHost: perHost, total: total) }

    package var waitingCount: Int { waiters.count }

    /// Requests a permit. Without one, the waiter is kept until its turn.
    package mutating func enter(
        _ waiter: Waiter,
        host: String,
        rank: AdmissionQueue.Rank
    ) -> (ticket: Ticket, isAdmitted: Bool) {
        let entry = queue.enter(host: host, rank: rank)
        if !entry.isAdmitted { waiters[entry.ticket] = waiter }
        return entry
    }

    /// Withdraws a waiter.
    ///
    /// - Returns: the waiter; `nil` if it did not wait.
    package mutating func withdraw(_ ticket: Ticket) -> Waiter? {
        queue.withdraw(ticket) ? waiters.removeValue(forKey: ticket) : nil
    }

    /// Returns a permit.
    ///
    /// - Returns: the waiter that receives it.
    package mutating func leave(_ permit: Ticket) -> Admission? {
        guard let next = queue.leave(permit), let waiter = waiters.removeValue(forKey: next) else { return nil }
        return (waiter, next)
    }

    /// Removes everything that waits.
    ///
    /// - Returns: the waiters in the order in which they came.
    package mutating func removeAllWaiting() -> [Waiter] {
        queue.removeAllWaiting().sorted { $0.number < $1.number }.compactMap { waiters.removeValue(forKey: $0) }
    }
}

extension AdmissionTable: Sendable where Waiter: Sendable {}
