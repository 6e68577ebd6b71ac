/// Says whether there is a network; what `Reachability` listens to.
///
/// ```swift
/// struct Always: ReachabilitySource {
///     func current() -> ReachabilityStatus { .online }
///     func changes() -> AsyncStream<ReachabilityStatus> { AsyncStream { $0.finish() } }
/// }
/// ```
public protocol ReachabilitySource: Sendable {
    /// How it is at this moment.
    func current() -> ReachabilityStatus

    /// Each change from now on; the same one twice does no harm. Listened to once.
    func changes() -> AsyncStream<ReachabilityStatus>
}

/// Whether there is a network that requests could take. A hint: only an attempt can tell.
public enum ReachabilityStatus: String, Hashable, Sendable {
    case online, offline
}
