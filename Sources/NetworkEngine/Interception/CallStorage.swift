/// The values that interceptors store for a call, across its hooks and attempts. Each owner has one value.
package struct CallStorage: Sendable {
    private struct State {
        var replays = 0
        var wasApplied = false
        var values: [(owner: ObjectIdentifier, value: any Sendable)] = []
    }

    private let state = Locked(State())

    package init() {}

    /// A copy of the values for another call.
    var copy: CallStorage {
        let copy = CallStorage()
        let values = state.withLock { $0.values }
        copy.state.withLock { $0.values = values }
        return copy
    }

    /// The number of attempts granted beyond the limit.
    var replays: Int { state.withLock { $0.replays } }

    /// Allows one attempt that does not count.
    package func grantReplay() { state.withLock { $0.replays += 1 } }

    /// Whether the server has already carried out the request, so that it must not be repeated.
    var wasApplied: Bool { state.withLock { $0.wasApplied } }

    /// Records that the server has carried out a request, whatever later responses contain.
    func noteApplied() { state.withLock { $0.wasApplied = true } }

    package func value<Value: Sendable>(for owner: ObjectIdentifier, as type: Value.Type = Value.self) -> Value? {
        state.withLock { state in
            // An owner without a value skips the cast.
            guard let value = state.values.first(where: { $0.owner == owner })?.value else { return nil }
            return value as? Value
        }
    }

    /// Returns an owner's value, or creates and stores it.
    package func value<Value: Sendable>(for owner: ObjectIdentifier, orStoring make: () -> Value) -> Value {
        state.withLock { state in
            if let value = state.values.first(where: { $0.owner == owner })?.value as? Value { return value }
            let value = make()
            state.values.append((owner, value))
            return value
        }
    }

    package func set(_ value: some Sendable, for owner: ObjectIdentifier) {
        state.withLock { state in
            if let index = state.values.firstIndex(where: { $0.owner == owner }) {
                state.values[index].value = value
            } else {
                state.values.append((owner, value))
            }
        }
    }
}
