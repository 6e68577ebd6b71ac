/// What becomes of a request that failed because there is no network.
public enum OfflineMode: Hashable, Sendable {
    /// It fails, at once.
    case failFast
    /// It waits so long for a network, and is sent again when there is one.
    case waitForConnection(max: Duration)
    /// It waits in a queue of limited length, no longer than `expiry`, and is sent again in its turn.
    ///
    /// Only what may be repeated: methods that are idempotent, and requests with an `Idempotency-Key`.
    case queueAndReplay(limit: Int, expiry: Duration)
}
