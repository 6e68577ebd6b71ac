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
            let status = state.withLock { state in
                state.listeners.append(listener)
                return state.status
            }
            listener.yield(status)
        }
    }

    /// Changes the status and notifies all listeners.
    public func set(_ status: ReachabilityStatus) {
        let listeners = state.withLock { state in
            state.status = status
            return state.listeners
        }
        for listener in listeners { listener.yield(status) }
    }
}
