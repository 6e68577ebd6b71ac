/// How a response says where its body ends.
public enum LoopbackFraming: Sendable, Hashable {
    /// `Content-Length` where the length is known, else chunks.
    case automatic
    /// Chunks of so many bytes.
    case chunked(size: Int)
    /// Nothing: the body ends with the connection.
    case untilClose
    /// A `Content-Length` field for each of the given values, right or wrong, and no other framing.
    case declared([String])
}

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

/// A body in pieces.
public struct LoopbackPacing: Sendable, Hashable {
    public var bytes: Int
    public var interval: Duration
    /// Whether the head is sent in such pieces, too.
    public var includesHead: Bool

    public init(bytes: Int, every interval: Duration, includesHead: Bool = false) {
        self.bytes = max(1, bytes)
        self.interval = interval
        self.includesHead = includesHead
    }
}
