/// Notices that a connection is lost: no byte arrives for an interval, and none for another one after a ping.
///
/// Only a ping that was written can be answered. One that waits for another write loses the connection only if that
/// write does not end within an interval.
struct WebSocketSilence: Sendable {
    enum Verdict {
        case isAlive
        /// The ping is to be written.
        case needsPing
        case isLost
    }

    private enum Ping {
        case idle
        /// Waits until the frames before it are written.
        case due
        /// Taken out to be written. Any byte answers it.
        case taken
    }

    private var isQuiet = true
    private var ping = Ping.idle

    /// Whether a ping waits to be written.
    var isPingDue: Bool { ping == .due }

    /// Takes the ping out to be written. Returns whether there is one.
    mutating func takePing() -> Bool {
        guard isPingDue else { return false }
        ping = .taken
        return true
    }

    /// The other end shows that it is there.
    mutating func end() { (isQuiet, ping) = (false, .idle) }

    /// Frames were written. A ping behind them is taken next, and gets a whole interval.
    ///
    /// Other writes are no sign of life: the system takes small ones also for a connection that is lost.
    mutating func wrote() { if isPingDue { isQuiet = false } }

    /// - Parameter isRead: whether the connection is read. One that is not because of a slow reader is not lost.
    mutating func intervalPassed(isRead: Bool) -> Verdict {
        defer { isQuiet = true }
        guard isQuiet, isRead else { return .isAlive }
        guard ping == .idle else { return .isLost }
        ping = .due
        return .needsPing
    }
}
