import NetworkEngine

/// How the messages of a WebSocket are compressed (RFC 7692, permessage-deflate).
///
/// ```swift
/// configuration.webSockets.compression?.keepsContext = false
/// ```
public struct WebSocketCompression: Hashable, Sendable {
    /// Whether compression uses the content of earlier messages; `true` by default.
    ///
    /// This makes small messages of the same shape much smaller. It uses about 200 KB of memory for each connection
    /// that has sent and received a compressed message.
    public var keepsContext = true
    /// The window size, which limits how far a message can refer back, as a power of two from 9 to 15; 15 by default.
    public var windowBits = 15
    /// The minimum size in bytes of a message to compress; 64 by default.
    public var threshold = 64

    /// Creates a compression configuration with its default values.
    public init() {}
}
