import NetworkEngine

/// The limits of WebSockets, and the detection of lost connections.
///
/// ```swift
/// configuration.webSockets.pingInterval = .seconds(20)
/// ```
public struct WebSocketOptions: Hashable, Sendable {
    /// The maximum size of a received message in bytes; 16 MiB by default. A larger message closes the connection with
    /// code 1009 and a `.limit` error.
    public var messageLimit = 16 << 20
    /// The number of bytes of received messages waiting for a reader; 1 MiB by default.
    ///
    /// While more bytes wait, the connection is not read, so a slow reader slows the server down. One message is always
    /// accepted.
    public var bufferLimit = 1 << 20
    /// The number of bytes of messages waiting to be sent; 16 MiB by default.
    ///
    /// A message that exceeds it fails with a `.limit` error, and the socket remains open. One message may always wait.
    /// If you await each `send` before the next one, you never exceed the limit.
    public var sendBufferLimit = 16 << 20
    /// The time between two connection checks; `nil`, the default, for none.
    ///
    /// If no byte has arrived since the previous check, a ping is sent before the waiting messages. If none has arrived
    /// by the next check either, the connection fails with a `.timeout` error, after two to three intervals of silence.
    /// A ping that had to wait for a message to be written gets another interval. `URLSession` sends the ping after all
    /// waiting messages, so it gets another interval after each one during which one of them was sent. A single message
    /// that takes longer fails the connection.
    public var pingInterval: Duration?
    /// How long a server may take to close the connection after a close frame; 5 seconds by default.
    public var closeTimeout: Duration = .seconds(5)

    /// How messages are compressed if the server supports it; `nil` for no compression.
    ///
    /// Applies to a `CurlTransport`, which offers compression in its handshake. `URLSession` decides by itself whether
    /// to offer it. `messageLimit` applies to the decompressed size. Set `nil` for messages that combine a secret with
    /// text from other people, because the size of a compressed message reveals how much they have in common.
    public var compression: WebSocketCompression? = WebSocketCompression()

    /// Creates options with their default values.
    public init() {}
}

extension WebSocketOptions {
    /// Checks whether another message may wait to be sent.
    ///
    /// - Parameter waiting: the number of bytes that wait; `nil` if nothing does.
    func checkRoom(for size: Int, behind waiting: Int?) throws(NetworkError) {
        guard let waiting, size > max(0, sendBufferLimit) - waiting else { return }
        let reason = "more than \(sendBufferLimit) bytes of messages wait to be sent: sendBufferLimit"
        throw NetworkError(kind: .limit, reason: reason)
    }
}
