/// What waits for permits, in the order of a waiting queue. A pure value.
package struct WaitingTable<Waiter> {
    package typealias Admission = (waiter: Waiter, permit: Permit)

    private var queue: WaitingQueue
    private var waiters: [Permit: Waiter] = [:]

    package init(perHost: Int, total: Int) { queue = WaitingQueue(perHost: perHost, total: total) }

    package var waitingCount: Int { waiters.count }

    /// Requests a permit that waits for nothing.
    package mutating func enterAtOnce(host: String, rank: WaitingQueue.Rank) -> Permit? {
        queue.enterAtOnce(host: host, rank: rank)
    }

    /// Requests a permit. Without one, the waiter is kept until its turn.
    package mutating func enter(
        _ waiter: Waiter,
        host: String,
        rank: WaitingQueue.Rank
    ) -> (permit: Permit, isAdmitted: Bool) {
        let entry = queue.enter(host: host, rank: rank)
        if !entry.isAdmitted { waiters[entry.permit] = waiter }
        return entry
    }

    /// Withdraws a waiter.
    ///
    /// - Returns: the waiter; `nil` if it did not wait.
    package mutating func withdraw(_ permit: Permit) -> Waiter? {
        queue.withdraw(permit) ? waiters.removeValue(forKey: permit) : nil
    }

    /// Returns a permit.
    ///
    /// - Returns: the waiter that receives it.
    package mutating func leave(_ permit: Permit) -> Admission? {
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

extension WaitingTable: Sendable where Waiter: Sendable {}
