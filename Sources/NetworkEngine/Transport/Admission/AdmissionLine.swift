/// Those of one rank who wait for a host, in the order of their numbers.
///
/// Taking the first moves nobody else, so that a line of ten thousand costs no more for each than a short one.
struct AdmissionLine<Ticket: Sendable>: Sendable {
    private var all: [(number: Int, ticket: Ticket)] = []
    /// How many at the start of `all` have left.
    private var left = 0

    var isEmpty: Bool { left == all.count }
    var count: Int { all.count - left }
    var first: Ticket? { isEmpty ? nil : all[left].ticket }
    var tickets: [Ticket] { all[left...].map(\.ticket) }

    /// Adds somebody whose number is greater than all before.
    mutating func append(_ ticket: Ticket, number: Int) { all.append((number, ticket)) }

    mutating func removeFirst() {
        left += 1
        guard left > 64, left * 2 > all.count else { return }
        all.removeFirst(left)
        left = 0
    }

    /// Takes somebody out of the middle.
    ///
    /// - Returns: whether they were there.
    mutating func remove(number: Int) -> Bool {
        var low = left
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].number < number { low = middle + 1 } else { high = middle }
        }
        guard low < all.count, all[low].number == number else { return false }
        all.remove(at: low)
        return true
    }
}
