/// Requests that wait for a network, first come, first served; pure.
package struct ReplayQueue: Sendable {
    package typealias Ticket = Int

    private let limit: Int
    private var waiting: [Ticket] = []
    private var count = 0
    /// Those who waited when the network came, in their order, while any of them is here.
    private var wave: [Ticket] = []

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
    /// Counted among those who waited at that moment, whoever of them asks first.
    package mutating func turn(of ticket: Ticket) -> Int {
        if let place = wave.firstIndex(of: ticket) { return place }
        wave = waiting
        return wave.firstIndex(of: ticket) ?? 0
    }

    package mutating func leave(_ ticket: Ticket) {
        waiting.removeAll { $0 == ticket }
        if waiting.isEmpty { wave = [] }
    }
}
