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
