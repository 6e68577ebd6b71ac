/// Requests that wait for a network in order of arrival; a pure value.
package struct ReplayQueue: Sendable {
    package typealias Ticket = Int

    private let limit: Int
    private var waiting: [Ticket] = []
    private var count = 0
    /// The requests that waited when the network returned, in order, until all of them have left.
    private var wave: [Ticket] = []

    package init(limit: Int) { self.limit = max(0, limit) }

    package var isEmpty: Bool { waiting.isEmpty }
    package var length: Int { waiting.count }

    /// Joins the queue; returns `nil` if the queue is full.
    package mutating func enter() -> Ticket? {
        guard waiting.count < limit else { return nil }
        count += 1
        waiting.append(count)
        return count
    }

    /// Returns the number of requests ahead of this one, after the network has returned.
    ///
    /// The first caller fixes the order for all requests that wait at that moment.
    package mutating func position(of ticket: Ticket) -> Int {
        if let index = wave.firstIndex(of: ticket) { return index }
        wave = waiting
        return wave.firstIndex(of: ticket) ?? 0
    }

    package mutating func leave(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
        if waiting.isEmpty { wave = [] }
    }
}
