/// The permit of a request, or its place in the queue before it has one. Later ones have greater numbers.
package struct Permit: Hashable, Sendable {
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
package struct WaitingLine: Sendable {
    private var all: [Permit] = []
    /// The number of removed permits at the start of `all`.
    private var removedCount = 0

    package init() {}

    package var isEmpty: Bool { removedCount == all.count }
    package var count: Int { all.count - removedCount }
    package var first: Permit? { isEmpty ? nil : all[removedCount] }
    package var permits: ArraySlice<Permit> { all[removedCount...] }

    package mutating func append(_ permit: Permit) { all.append(permit) }

    package mutating func removeFirst() {
        removedCount += 1
        guard removedCount > 64, removedCount * 2 > all.count else { return }
        all.removeFirst(removedCount)
        removedCount = 0
    }

    /// Removes a permit from any position.
    ///
    /// - Returns: whether it was in the queue.
    package mutating func remove(_ permit: Permit) -> Bool {
        var low = removedCount
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].number < permit.number { low = middle + 1 } else { high = middle }
        }
        guard low < all.count, all[low] == permit else { return false }
        all.remove(at: low)
        return true
    }
}
