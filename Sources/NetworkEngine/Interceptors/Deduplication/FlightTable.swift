/// Who waits for which exchange; pure.
package struct FlightTable<Key: Hashable & Sendable>: Sendable {
    package typealias Flight = Int

    private struct Entry {
        let flight: Flight
        var riders: Int
    }

    private var entries: [Key: Entry] = [:]
    private var count = 0

    package init() {}

    package var flights: Int { entries.count }

    package var riders: Int { entries.values.reduce(0) { $0 + $1.riders } }

    /// Joins the exchange for a key, or begins one.
    package mutating func board(_ key: Key) -> (flight: Flight, isFirst: Bool) {
        if let entry = entries[key] {
            entries[key]?.riders += 1
            return (entry.flight, false)
        }
        count += 1
        entries[key] = Entry(flight: count, riders: 1)
        return (count, true)
    }

    /// Stops waiting.
    ///
    /// - Returns: whether nobody waits any more, so that the exchange is to be stopped.
    package mutating func leave(_ flight: Flight, _ key: Key) -> Bool {
        guard let entry = entries[key], entry.flight == flight else { return false }
        if entry.riders > 1 {
            entries[key]?.riders -= 1
            return false
        }
        entries[key] = nil
        return true
    }

    /// The exchange has ended: who comes later begins another.
    package mutating func land(_ flight: Flight, _ key: Key) {
        if entries[key]?.flight == flight { entries[key] = nil }
    }
}
