/// A request for a permit. Later ones have greater numbers.
package struct AdmissionTicket: Hashable, Sendable {
    package enum Rank: Int, Sendable, CaseIterable { case refresh, high, normal, low }

    package let number: Int
    package let host: String
    package let rank: Rank
}

/// The waiting requests of one rank to one host, in the order of their numbers.
///
/// Removing the first one does not move the others, so the cost of each does not grow with the length of the queue.
struct AdmissionLine: Sendable {
    private var all: [AdmissionTicket] = []
    /// The number of removed tickets at the start of `all`.
    private var removedCount = 0

    var isEmpty: Bool { removedCount == all.count }
    var count: Int { all.count - removedCount }
    var first: AdmissionTicket? { isEmpty ? nil : all[removedCount] }
    var tickets: ArraySlice<AdmissionTicket> { all[removedCount...] }

    mutating func append(_ ticket: AdmissionTicket) { all.append(ticket) }

    mutating func removeFirst() {
        removedCount += 1
        guard removedCount > 64, removedCount * 2 > all.count else { return }
        all.removeFirst(removedCount)
        removedCount = 0
    }

    /// Removes a ticket from any position.
    ///
    /// - Returns: whether it was in the queue.
    mutating func remove(_ ticket: AdmissionTicket) -> Bool {
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
