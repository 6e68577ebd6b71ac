/// Requests that wait for a network, first come, first served; pure.
package struct ReplayQueue: Sendable {
    package typealias Ticket = Int

    private let limit: Int
    private var waiting: [Ticket] = []
    private var count = 0

    package init(limit: Int) { self.limit = max(0, limit) }

    package var isEmpty: Bool { waiting.isEmpty }
    package var length: Int { waiting.count }

    /// A place at the end; `nil` when there is none.
    package mutating func enter() -> Ticket? {
        guard waiting.count < limit else { return nil }
        count += 1
        waiting.append(count)
        return count
    }

    /// How many stand before a ticket; it leaves the queue with `leave(_:)`.
    package func position(of ticket: Ticket) -> Int {
        waiting.firstIndex(of: ticket) ?? 0
    }

    package mutating func leave(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
    }
}
