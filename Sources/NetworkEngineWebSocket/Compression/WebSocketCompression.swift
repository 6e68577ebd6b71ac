import NetworkEngine

/// How the messages of a WebSocket are compressed (RFC 7692, permessage-deflate).
///
/// ```swift
/// configuration.webSockets.compression?.keepsContext = false
/// ```
public struct WebSocketCompression: Hashable, Sendable {
    /// Whether a message is compressed with what the messages before it contained; `true` by default.
    ///
    /// This makes small messages of the same shape much smaller. It keeps about 200 KB of memory for each connection
    /// that has sent and received a compressed message.
    public var keepsContext = true
    /// The number of bytes that a message can refer back to, as a power of two from 9 to 15; 15 by default.
    public var windowBits = 15
    /// The number of bytes from which on a message is compressed; 64 by default.
    public var threshold = 64

    /// Creates a compression with its default values.
    public init() {}
}
