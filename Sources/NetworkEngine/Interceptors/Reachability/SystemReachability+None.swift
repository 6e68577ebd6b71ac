#if !canImport(Network) && !os(Linux)
/// Where nobody can be asked, there is a network.
package struct SystemReachability: ReachabilitySource {
    package init() {}

    package func current() -> ReachabilityStatus { .online }

    package func changes() -> AsyncStream<ReachabilityStatus> { AsyncStream { $0.finish() } }
}
#endif
