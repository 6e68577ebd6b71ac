/// What a server does instead of going on.
public enum LoopbackFault: Sendable, Hashable {
    /// Closes the connection in order; what was sent arrives.
    case close
    /// Closes with a reset: the peer's next call fails, and what was sent may be lost.
    case reset
    /// Does nothing any more, and reads nothing any more, until the client or the server closes.
    case stall
    /// Ends the sending direction, and goes on reading what the client sends.
    case halfClose
}
