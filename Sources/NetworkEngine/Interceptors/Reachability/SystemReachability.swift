#if canImport(Network)
import Dispatch
import Network

/// The path monitor of the Network framework.
package struct SystemReachability: AssumingReachabilitySource {
    private let monitor = NWPathMonitor()

    package init() {}

    /// The assumed status until the monitor reports the first path.
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
#elseif !os(Linux) && !os(Android)
/// Assumes that there is a network, on platforms without a monitor.
package struct SystemReachability: ReachabilitySource {
    package init() {}

    package func current() -> ReachabilityStatus { .online }

    package func changes() -> AsyncStream<ReachabilityStatus> { AsyncStream { $0.finish() } }
}
#endif
