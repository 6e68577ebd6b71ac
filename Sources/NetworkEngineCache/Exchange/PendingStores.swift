import NetworkEngine

/// Tracks removals of stored responses while other responses are being stored or used.
///
/// A response that the server sent before an unsafe request changed its resource must not be stored after that request.
/// After a removal, no older response is used.
final class PendingStores: Sendable {
    private struct Address {
        var pending = 0
        var removals = 0
    }

    private struct Write {
        let key: CacheKey
        let end = OneShot<Void>()
    }

    private struct State {
        /// The addresses with a pending response.
        var addresses: [CacheKey: Address] = [:]
        /// The running writes to the store.
        var writes: [Int: Write] = [:]
        var writeCount = 0
    }

    private let state = Locked(State())

    /// A request that uses stored responses, or that may store its response.
    final class Ticket: Sendable {
        private let pendingStores: PendingStores
        private let key: CacheKey
        private let removals: Int

        fileprivate init(_ pendingStores: PendingStores, _ key: CacheKey, _ removals: Int) {
            self.pendingStores = pendingStores
            self.key = key
            self.removals = removals
        }

        deinit { pendingStores.end(key) }

        /// Whether nothing was removed from the URL since the request.
        var isValid: Bool { pendingStores.state.withLock { $0.addresses[key]?.removals } == removals }

        /// Writes to the store, unless something was removed from the URL since the request. A removal during the write
        /// waits until it has finished.
        func store(_ write: () async -> Void) async {
            guard let number = pendingStores.beginWrite(key, removals) else { return }
            await write()
            pendingStores.endWrite(number)
        }
    }

    init() {}

    func begin(_ key: CacheKey) -> Ticket {
        let removals = state.withLock { state in
            state.addresses[key, default: Address()].pending += 1
            return state.addresses[key]?.removals ?? 0
        }
        return Ticket(self, key, removals)
    }

    /// Removes responses from a store, including those that are about to be stored.
    ///
    /// - Parameters:
    ///   - isRemoved: whether to remove the response for a URL.
    ///   - remove: removes the responses from the store.
    func remove(where isRemoved: (CacheKey) -> Bool, _ remove: () async -> Void) async {
        let writes = state.withLock { state in
            for key in state.addresses.keys where isRemoved(key) { state.addresses[key]?.removals += 1 }
            return state.writes.values.filter { isRemoved($0.key) }.map(\.end)
        }
        await remove()
        guard !writes.isEmpty else { return }
        // In a separate task, which continues when the caller is canceled.
        await Task { for end in writes { try? await end.wait() } }.value
        await remove()
    }

    private func beginWrite(_ key: CacheKey, _ removals: Int) -> Int? {
        state.withLock { state in
            guard state.addresses[key]?.removals == removals else { return nil }
            state.writeCount += 1
            state.writes[state.writeCount] = Write(key: key)
            return state.writeCount
        }
    }

    private func endWrite(_ number: Int) { state.withLock { $0.writes.removeValue(forKey: number) }?.end.settle(()) }

    private func end(_ key: CacheKey) {
        state.withLock { state in
            guard var address = state.addresses[key] else { return }
            address.pending -= 1
            state.addresses[key] = address.pending == 0 ? nil : address
        }
    }
}
