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
        var listeners: [Int: AsyncStream<ReachabilityStatus>.Continuation] = [:]
        var listenerCount = 0
        /// Pending reports to listeners, in order.
        var reports: [(listener: Int, status: ReachabilityStatus)] = []
        var isReporting = false

        mutating func takeReports() -> [(listener: Int, status: ReachabilityStatus)] {
            defer { reports = [] }
            isReporting = !reports.isEmpty
            return reports
        }
    }

    private let state: Locked<State>

    /// Creates a source with a status.
    public init(_ status: ReachabilityStatus = .online) { state = Locked(State(status: status)) }

    public func current() -> ReachabilityStatus { state.withLock { $0.status } }

    public func changes() -> AsyncStream<ReachabilityStatus> {
        AsyncStream { listener in
            report { state in
                let id = state.listenerCount
                state.listenerCount += 1
                state.listeners[id] = listener
                state.reports.append((id, state.status))
            }
        }
    }

    /// Changes the status and notifies all listeners.
    public func set(_ status: ReachabilityStatus) {
        report { state in
            state.status = status
            for id in state.listeners.keys { state.reports.append((id, status)) }
        }
    }

    /// Applies a change and makes its reports. One thread at a time makes all of them, so that all listeners receive
    /// the changes in the same order.
    private func report(_ change: (inout State) -> Void) {
        let isReporting = state.withLock { state in
            change(&state)
            defer { state.isReporting = true }
            return state.isReporting
        }
        if isReporting { return }
        while true {
            let reports = state.withLock { $0.takeReports() }
            if reports.isEmpty { return }
            for (id, status) in reports {
                guard let listener = state.withLock({ $0.listeners[id] }) else { continue }
                if case .terminated = listener.yield(status) { state.withLock { $0.listeners[id] = nil } }
            }
        }
    }
}
