import Foundation
public import NetworkEngine

/// An open WebSocket: messages in both directions over one connection.
///
/// ```swift
/// let socket = try await client.webSocket(.get("/chat"), protocols: ["chat.v2"])
/// try await socket.send(.text("hello"))
/// for try await message in socket.messages { show(message) }
/// await socket.close()
/// ```
/// You can call its methods from several tasks simultaneously. Messages are sent whole, in the order of the calls. The
/// socket answers the server's pings while it is open. Releasing a socket closes its connection immediately, without a
/// close frame, unless it is already closing.
///
/// The connection has no timeout, because silence is normal. Set `WebSocketOptions.pingInterval` to detect a connection
/// that was lost without notice.
public final class WebSocket: Sendable {
    /// A text or binary message.
    public typealias Message = WebSocketMessage

    /// The handshake response, with status 101.
    public let response: HTTPResponse
    /// The subprotocol that the server chose; `nil` if it chose none.
    public let negotiatedProtocol: String?
    /// The decoder of the call that opened the socket.
    let decoder: BodyDecoder
    let encoder: JSONEncoder
    fileprivate let owner: WebSocketOwner

    /// Creates a socket from a 101 response; `nil` if the response has no connection.
    package init?(
        _ response: HTTPResponse,
        decoder: BodyDecoder = BodyDecoder(JSONDecoder())
    ) {
        guard let owner = response.upgrade as? WebSocketOwner else { return nil }
        var response = response
        response.upgrade = nil
        self.response = response
        self.decoder = decoder
        encoder = owner.encoder
        self.owner = owner
        negotiatedProtocol = owner.connection.negotiatedProtocol
    }

    deinit { owner.connection.abandon() }

    private var connection: any WebSocketConnection { owner.connection }

    /// Whether messages can be sent.
    var isOpen: Bool { connection.isOpen }

    /// Whether there are unread messages.
    var hasUnreadMessages: Bool { connection.hasUnreadMessages }

    var bufferLimit: Int { connection.bufferLimit }

    /// Removes and returns the unread messages. The connection has ended.
    func takeUnreadMessages() -> [WebSocketMessage] { connection.takeUnreadMessages() }

    /// Reserves buffer space, because messages from earlier connections wait for the same reader.
    func reserve(_ size: Int) { connection.reserve(size) }

    /// Waits until the connection has ended, and returns the reason; `nil` for a normal close.
    func failure() async throws(CancellationError) -> NetworkError? { try await connection.failure() }

    /// The code in the server's close frame, or the code passed to `close()` if the server sent none; `nil` before.
    ///
    /// 1000 is a normal close, and 1005 means a frame without a code.
    public var closeCode: UInt16? { connection.close?.code }

    /// The text in the close frame. Treat it like a body: it can contain anything.
    public var closeReason: String? { connection.close?.reason }

    /// The server's messages, as they arrive.
    ///
    /// The sequence ends when the server closes the socket with code 1000 or 1001 or without a code, and after
    /// `close()`. It throws a `.connection` error for any other code, and when the connection is lost.
    ///
    /// Each message is delivered once. Breaking out of a loop leaves the socket open, so another loop can continue.
    /// Canceling the reading task throws `.cancelled`, and also leaves the socket open.
    public var messages: Messages { Messages(socket: self) }

    /// Sends a message, and returns when the system has accepted it. A slow server slows the sender down.
    ///
    /// Throws `.invalidRequest` after a normal close, or otherwise the error that closed the socket. Canceling the task
    /// stops waiting; the message may still be sent.
    @concurrent
    public func send(_ message: Message) async throws(NetworkError) { try await connection.send(message) }

    /// Sends a ping and returns when its pong arrives.
    ///
    /// Pongs are only read while the message buffer has space, so keep reading `messages`.
    @concurrent
    public func ping() async throws(NetworkError) { try await connection.ping() }

    /// Sends a close frame, and returns when the connection has closed.
    ///
    /// The server has `WebSocketOptions.closeTimeout` to respond. Further calls wait for the same close. In a canceled
    /// task it sends the close frame without waiting, so it can be the last line of a canceled task.
    ///
    /// - Parameters:
    ///   - code: 1000 for a normal close, or an application-defined code from 3000 to 4999. If the code must not be
    ///     sent, 1000 is sent instead.
    ///   - reason: a text for the server, of at most 123 bytes. Longer texts are truncated.
    @concurrent
    public func close(code: UInt16 = 1000, reason: String = "") async {
        await connection.close(with: WebSocketClose(sending: code, reason: reason))
    }

    /// The messages from a server.
    public struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: WebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Reads the messages one by one.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let socket: WebSocket

            /// Returns the next message; `nil` after a normal close.
            @concurrent
            public mutating func next() async throws(NetworkError) -> Message? {
                try await socket.owner.connection.receive()
            }
        }
    }
}
