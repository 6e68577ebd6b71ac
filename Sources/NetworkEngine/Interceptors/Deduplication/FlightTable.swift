/// Who waits for which exchange; pure.
package struct FlightTable<Key: Hashable & Sendable>: Sendable {
    package typealias Flight = Int

    /// What somebody has who waits for an exchange.
    package struct Ticket: Sendable {
        package let flight: Flight
        /// Whether the exchange begins with this one.
        package let isFirst: Bool
        fileprivate let key: Key
        fileprivate let rider: RequestID
    }

    private struct Entry {
        let flight: Flight
        /// The calls that wait, each once: the second request of a hedge must not wait for the first.
        var riders: Set<RequestID>
    }

    /// For each key the exchanges that run; nearly always one.
    private var entries: [Key: [Entry]] = [:]
    private var count = 0

    package init() {}

    package var flights: Int { entries.values.reduce(0) { $0 + $1.count } }

    package var riders: Int { entries.values.joined().reduce(0) { $0 + $1.riders.count } }

    /// Joins an exchange for a key that this call does not wait for yet, or begins one.
    package mutating func board(_ key: Key, as rider: RequestID) -> Ticket {
        if let index = entries[key]?.firstIndex(where: { !$0.riders.contains(rider) }),
            let flight = entries[key]?[index].flight
        {
            entries[key]?[index].riders.insert(rider)
            return Ticket(flight: flight, isFirst: false, key: key, rider: rider)
        }
        count += 1
        entries[key, default: []].append(Entry(flight: count, riders: [rider]))
        return Ticket(flight: count, isFirst: true, key: key, rider: rider)
    }

    /// Stops waiting.
    ///
    /// - Returns: whether nobody waits any more, so that the exchange is to be stopped.
    package mutating func leave(_ ticket: Ticket) -> Bool {
        guard let index = index(of: ticket) else { return false }
        entries[ticket.key]?[index].riders.remove(ticket.rider)
        guard entries[ticket.key]?[index].riders.isEmpty == true else { return false }
        land(ticket)
        return true
    }

    /// The exchange has ended: who comes later begins another.
    package mutating func land(_ ticket: Ticket) {
        guard let index = index(of: ticket) else { return }
        entries[ticket.key]?.remove(at: index)
        if entries[ticket.key]?.isEmpty == true { entries[ticket.key] = nil }
    }

    private func index(of ticket: Ticket) -> Int? {
        entries[ticket.key]?.firstIndex { $0.flight == ticket.flight }
    }
}
