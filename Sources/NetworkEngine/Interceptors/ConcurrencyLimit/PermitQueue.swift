/// Places and a line of limited length before them; pure.
package struct PermitQueue: Sendable {
    package struct Claim: Sendable {
        package let ticket: AdmissionQueue.Ticket
        /// What to wait for; `nil` when there was a place.
        package let turn: OneShot<Void>?
    }

    private let length: Int
    private var queue: AdmissionQueue
    private var turns: [AdmissionQueue.Ticket: OneShot<Void>] = [:]

    package init(total: Int, perHost: Int, length: Int) {
        self.length = max(0, length)
        queue = AdmissionQueue(perHost: perHost, total: total)
    }

    package var waitingCount: Int { turns.count }
    package var runningCount: Int { queue.runningCount }

    /// Takes a place or joins the line; `nil` when it is full. A refresh always gets in.
    package mutating func enter(host: String, rank: AdmissionQueue.Rank) -> Claim? {
        let (ticket, isAdmitted) = queue.enter(host: host, rank: rank)
        if isAdmitted { return Claim(ticket: ticket, turn: nil) }
        guard turns.count < length || rank == .refresh else {
            _ = queue.withdraw(ticket)
            return nil
        }
        let turn = OneShot<Void>()
        turns[ticket] = turn
        return Claim(ticket: ticket, turn: turn)
    }

    /// Leaves the line.
    ///
    /// - Returns: whether it was still there, and not at a place.
    package mutating func withdraw(_ claim: Claim) -> Bool {
        turns[claim.ticket] = nil
        return queue.withdraw(claim.ticket)
    }

    /// Changes the limits.
    ///
    /// - Returns: whose turn it is now.
    package mutating func resize(total: Int, perHost: Int) -> [OneShot<Void>] {
        queue.resize(perHost: perHost, total: total).compactMap { turns.removeValue(forKey: $0) }
    }

    /// Gives a place back.
    ///
    /// - Returns: whose turn it is now.
    package mutating func leave(_ claim: Claim) -> OneShot<Void>? {
        queue.leave(claim.ticket).flatMap { turns.removeValue(forKey: $0) }
    }
}
