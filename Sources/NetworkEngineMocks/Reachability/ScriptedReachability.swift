public import NetworkEngine

/// A reachability source with a status that a test sets.
///
/// ```swift
/// let network = ScriptedReachability(.offline)
/// let reachability = Reachability(network, debounce: .zero)
/// let policy = OfflinePolicy(.waitForConnection(max: .seconds(5)), reachability: reachability)
/// network.set(.online)
/// ```
public final class ScriptedReachability: ReachabilitySource {
    private struct State {
        var status: ReachabilityStatus
        var listeners: [AsyncStream<ReachabilityStatus>.Continuation] = []
    }

    private let state: Locked<State>

    /// Creates a source with a status.
    public init(_ status: ReachabilityStatus = .online) { state = Locked(State(status: status)) }

    public func current() -> ReachabilityStatus { state.withLock { $0.status } }

    public func changes() -> AsyncStream<ReachabilityStatus> {
        AsyncStream { listener in
            state.withLock { state in
                state.listeners.append(listener)
                listener.yield(state.status)
            }
        }
    }

    /// Changes the status and notifies all listeners.
    public func set(_ status: ReachabilityStatus) {
        // Under the lock, so that all listeners get changes in one order. A stream runs no code of its reader here.
        state.withLock { state in
            state.status = status
            state.listeners.removeAll { if case .terminated = $0.yield(status) { true } else { false } }
        }
    }
}
