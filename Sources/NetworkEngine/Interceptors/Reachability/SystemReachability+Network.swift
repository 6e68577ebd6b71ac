#if canImport(Network)
import Dispatch
import Network

/// The system's own monitor of paths.
package struct SystemReachability: ReachabilitySource {
    private let monitor = NWPathMonitor()

    package init() {}

    /// Before the monitor has looked for the first time, that is what there usually is.
    package func current() -> ReachabilityStatus { .online }

    package func changes() -> AsyncStream<ReachabilityStatus> {
        AsyncStream { [monitor] continuation in
            monitor.pathUpdateHandler = { path in
                continuation.yield(path.status == .unsatisfied ? .offline : .online)
            }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "NetworkEngine.Reachability"))
        }
    }
}
#endif
