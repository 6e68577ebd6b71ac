/// Reports whether there is a network, for `Reachability`.
///
/// ```swift
/// struct Always: ReachabilitySource {
///     func current() -> ReachabilityStatus { .online }
///     func changes() -> AsyncStream<ReachabilityStatus> { AsyncStream { $0.finish() } }
/// }
/// ```
public protocol ReachabilitySource: Sendable {
    /// Returns the current status.
    func current() -> ReachabilityStatus

    /// Returns all future changes. Called once; equal values in a row are allowed.
    func changes() -> AsyncStream<ReachabilityStatus>
}

/// Whether there is a network. This is a hint: only a request shows whether a host can be reached.
public enum ReachabilityStatus: String, Hashable, Sendable {
    /// A network is available.
    case online
    /// No network is available.
    case offline
}
