/// Detects a lost connection: no byte arrives for an interval, and none for another one after a ping.
///
/// Only a ping that has been written can be answered. If a ping waits for another write, the connection is lost only if
/// that write does not finish within an interval.
struct WebSocketSilence: Sendable {
    enum Verdict {
        case isAlive
        /// A ping must be written.
        case needsPing
        case isLost
    }

    private enum Ping {
        case idle
        /// Waits until earlier frames are written.
        case due
        /// Dequeued for writing. Any byte answers it.
        case taken
    }

    private var isQuiet = true
    private var ping = Ping.idle

    /// Whether a ping waits to be written.
    var isPingDue: Bool { ping == .due }

    /// Dequeues the ping for writing. Returns whether there is one.
    mutating func takePing() -> Bool {
        guard isPingDue else { return false }
        ping = .taken
        return true
    }

    /// The other end is alive.
    mutating func end() { (isQuiet, ping) = (false, .idle) }

    /// Frames were written. A waiting ping is dequeued next, and gets a whole interval.
    ///
    /// Other writes don't prove that the connection is alive: the system accepts small ones even if the connection is
    /// lost.
    mutating func wrote() { if isPingDue { isQuiet = false } }

    /// - Parameter isRead: whether the connection is read. If a slow reader prevents this, the connection is not lost.
    mutating func intervalPassed(isRead: Bool) -> Verdict {
        defer { isQuiet = true }
        guard isQuiet, isRead else { return .isAlive }
        guard ping == .idle else { return .isLost }
        ping = .due
        return .needsPing
    }
}
