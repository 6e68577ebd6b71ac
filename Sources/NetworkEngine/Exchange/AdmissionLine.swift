/// A request for a permit. Later ones have greater numbers.
package struct AdmissionTicket: Hashable, Sendable {
    package enum Rank: Int, Sendable, CaseIterable { case refresh, high, normal, low }

    package let number: Int
    package let host: String
    package let rank: Rank

    package init(number: Int, host: String, rank: Rank) {
        self.number = number
        self.host = host
        self.rank = rank
    }
}

/// The waiting requests of one rank to one host, in the order of their numbers.
///
/// Removing the first one does not move the others, so the cost of each does not grow with the length of the queue.
package struct AdmissionLine: Sendable {
    private var all: [AdmissionTicket] = []
    /// The number of removed tickets at the start of `all`.
    private var removedCount = 0

    package init() {}

    package var isEmpty: Bool { removedCount == all.count }
    package var count: Int { all.count - removedCount }
    package var first: AdmissionTicket? { isEmpty ? nil : all[removedCount] }
    package var tickets: ArraySlice<AdmissionTicket> { all[removedCount...] }

    package mutating func append(_ ticket: AdmissionTicket) { all.append(ticket) }

    package mutating func removeFirst() {
        removedCount += 1
        guard removedCount > 64, removedCount * 2 > all.count else { return }
        all.removeFirst(removedCount)
        removedCount = 0
    }

    /// Removes a ticket from any position.
    ///
    /// - Returns: whether it was in the queue.
    package mutating func remove(_ ticket: AdmissionTicket) -> Bool {
        var low = removedCount
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].number < ticket.number { low = middle + 1 } else { high = middle }
        }
        guard low < all.count, all[low] == ticket else { return false }
        all.remove(at: low)
        return true
    }
}
