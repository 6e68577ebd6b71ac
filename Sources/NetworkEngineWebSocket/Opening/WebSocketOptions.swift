import NetworkEngine

/// The limits of WebSockets, and how a lost connection is noticed.
///
/// ```swift
/// configuration.webSockets.pingInterval = .seconds(20)
/// ```
public struct WebSocketOptions: Hashable, Sendable {
    /// The maximum number of bytes of a received message; 16 MiB by default. A larger message ends the connection with
    /// the code 1009 and an error of kind `.limit`.
    public var messageLimit = 16 << 20
    /// The number of bytes of received messages that wait for a reader; 1 MiB by default.
    ///
    /// While more bytes wait, the connection is not read, so that a slow reader slows the server down. One message is
    /// always accepted.
    public var bufferLimit = 1 << 20
    /// The number of bytes of messages that wait to be sent; 16 MiB by default.
    ///
    /// A message that exceeds it fails with an error of kind `.limit`, and the socket stays open. One message may
    /// always wait. Awaiting each `send` before the next one never exceeds it.
    public var sendBufferLimit = 16 << 20
    /// The time between two checks of the connection; `nil`, the default, for none.
    ///
    /// If no byte has arrived since the check before, a ping is sent, before the messages that wait. If none arrives
    /// until the next check either, the connection is lost, with an error of kind `.timeout`: after two to three
    /// intervals of silence. A ping that had to wait until a message was written gets another interval. `URLSession`
    /// sends it behind all messages that wait: it gets another interval after each in which one of them was sent. A
    /// single message that takes longer loses the connection.
    public var pingInterval: Duration?
    /// The time from a close frame to the end of the connection, if the server does not end it before; 5 seconds by
    /// default.
    public var closeTimeout: Duration = .seconds(5)

    /// How messages are compressed, if the server agrees; `nil` for no compression.
    ///
    /// Applies to a `CurlTransport`, whose handshake offers compression. `URLSession` decides by itself whether to
    /// offer it. `messageLimit` counts the bytes of a message after it was decompressed. Set `nil` for
    /// messages with a secret beside text from other people: the size of a compressed message tells how much both have
    /// in common.
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
