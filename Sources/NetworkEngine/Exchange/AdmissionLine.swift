/// Those of one rank who wait for a host, in the order of their numbers.
///
/// Taking the first moves nobody else, so that a line of ten thousand costs no more for each than a short one.
struct AdmissionLine: Sendable {
    private var all: [AdmissionTicket] = []
    /// How many at the start of `all` have left.
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

    /// Takes somebody out of the middle.
    ///
    /// - Returns: whether they were there.
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
