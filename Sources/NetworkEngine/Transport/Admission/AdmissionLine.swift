/// The waiting requests of one rank to one host, in the order of their numbers.
///
/// Removing the first one does not move the others, so the cost of each does not grow with the length of the queue.
struct AdmissionLine: Sendable {
    private var all: [AdmissionTicket] = []
    /// The number of removed tickets at the start of `all`.
    private var left = 0

    var isEmpty: Bool { left == all.count }
    var count: Int { all.count - left }
    var first: AdmissionTicket? { isEmpty ? nil : all[left] }
    var tickets: ArraySlice<AdmissionTicket> { all[left...] }

    mutating func append(_ ticket: AdmissionTicket) { all.append(ticket) }

    mutating func removeFirst() {
        left += 1
        guard left > 64, left * 2 > all.count else { return }
        all.removeFirst(left)
        left = 0
    }

    /// Removes a ticket from any position.
    ///
    /// - Returns: whether it was in the queue.
    mutating func remove(_ ticket: AdmissionTicket) -> Bool {
        var low = left
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
