/// What becomes of a connection after a response.
public enum LoopbackEnding: Sendable, Hashable {
    /// It stays for the next request, as the client wishes.
    case keepAlive
    /// It is closed. A response made from fields says so with `Connection: close`.
    case close
    /// It is closed without a word in the head, as if the idle time had run out.
    case closeSilently
    /// It is closed without an answer as soon as the next request comes: the stale connection of every pool.
    case closeOnNextRequest
}
