/// Requests that wait for a network, first come, first served; pure.
package struct ReplayQueue: Sendable {
    package typealias Ticket = Int

    private let limit: Int
    private var waiting: [Ticket] = []
    private var count = 0
    /// The first of those that are being sent.
    private var first: Ticket?

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

    /// The network is there: how many go before this one.
    ///
    /// Counted from the first of those that wait at that moment, whoever of them asks first.
    package mutating func turn(of ticket: Ticket) -> Int {
        let first = first ?? waiting.first ?? ticket
        self.first = first
        return max(0, ticket - first)
    }

    package mutating func leave(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
        if waiting.isEmpty { first = nil }
    }
}
