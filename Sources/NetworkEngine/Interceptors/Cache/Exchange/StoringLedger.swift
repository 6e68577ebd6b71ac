/// Notices removals of stored responses while other responses are on their way to the store.
///
/// A response that the server sent before an unsafe request changed its resource must not be stored after it.
package final class StoringLedger: Sendable {
    private struct Address {
        var pending = 0
        var removals = 0
    }

    /// The addresses with a pending response.
    private let state = Locked<[CacheKey: Address]>([:])

    /// A response that may be stored, from its request on.
    package final class Ticket: Sendable {
        private let ledger: StoringLedger
        private let key: CacheKey
        private let removals: Int

        fileprivate init(_ ledger: StoringLedger, _ key: CacheKey, _ removals: Int) {
            self.ledger = ledger
            self.key = key
            self.removals = removals
        }

        deinit { ledger.end(key) }

        /// Whether nothing was removed from the address since the request.
        package var isValid: Bool { ledger.state.withLock { $0[key]?.removals } == removals }
    }

    package init() {}

    package func begin(_ key: CacheKey) -> Ticket {
        let removals = state.withLock { state in
            state[key, default: Address()].pending += 1
            return state[key]?.removals ?? 0
        }
        return Ticket(self, key, removals)
    }

    package func remove(_ key: CacheKey) { state.withLock { $0[key]?.removals += 1 } }

    package func removeAll(from origin: String) { removeAll { $0.origin == origin } }

    package func removeAll() { removeAll { _ in true } }

    private func removeAll(where isRemoved: (CacheKey) -> Bool) {
        state.withLock { state in
            for key in state.keys where isRemoved(key) { state[key]?.removals += 1 }
        }
    }

    private func end(_ key: CacheKey) {
        state.withLock { state in
            guard var address = state[key] else { return }
            address.pending -= 1
            state[key] = address.pending == 0 ? nil : address
        }
    }
}
