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
/// Its methods can be called from any task at the same time. Messages are sent whole and in the order of the calls.
/// Pings of the server are answered while the socket is open. Releasing a socket ends its connection at once, without a
/// close frame, unless it is closing already.
///
/// The connection has no timeout of its own: silence is normal. `WebSocketOptions.pingInterval` finds a connection that
/// was lost without notice.
public final class WebSocket: Sendable {
    /// A text, or bytes.
    public typealias Message = WebSocketMessage

    /// The response of the handshake, with the status 101.
    public let response: HTTPResponse
    /// The one of the offered protocols that the server has chosen; `nil` if it has chosen none.
    public let negotiatedProtocol: String?
    /// The decoding of the call that opened the socket.
    let decoder: BodyDecoder
    let encoder: JSONEncoder
    fileprivate let owner: WebSocketOwner

    /// Creates a socket of a response with the status 101; `nil` if the response has no connection.
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

    /// Whether messages have arrived that were not read yet.
    var hasUnreadMessages: Bool { connection.hasUnreadMessages }

    var bufferLimit: Int { connection.bufferLimit }

    /// Takes the messages that were not read. The connection has ended.
    func takeUnreadMessages() -> [WebSocketMessage] { connection.takeUnreadMessages() }

    /// Leaves less room for messages: some from earlier connections wait for the same reader.
    func reserve(_ size: Int) { connection.reserve(size) }

    /// Waits for the end of the connection, and returns its reason; `nil` for a normal end.
    func failure() async throws(CancellationError) -> NetworkError? { try await connection.failure() }

    /// The code of the close frame: the server's, or that of `close()` if the server has sent none; `nil` before.
    ///
    /// 1000 is a normal end, and 1005 stands for a frame without a code.
    public var closeCode: UInt16? { connection.close?.code }

    /// The text of the close frame. Treat it like a body: it can contain anything.
    public var closeReason: String? { connection.close?.reason }

    /// The messages of the server, as they arrive.
    ///
    /// The sequence ends when the server closes the socket with the code 1000 or 1001 or without a code, and after
    /// `close()`. For another code, and when the connection is lost, it throws an error of kind `.connection`.
    ///
    /// Each message is delivered once. Breaking out of a loop leaves the socket open, so that another loop can
    /// continue. Canceling the task that reads throws `.cancelled`, and leaves the socket open, too.
    public var messages: Messages { Messages(socket: self) }

    /// Sends a message, and returns when the system has taken it. A slow server slows the sender down.
    ///
    /// Throws `.invalidRequest` after a normal end, and the error of the end after another one. Canceling the task
    /// stops the wait; the message may be sent nevertheless.
    @concurrent
    public func send(_ message: Message) async throws(NetworkError) { try await connection.send(message) }

    /// Sends a ping and returns when its pong arrives.
    ///
    /// Pongs arrive while there is room for messages: read `messages` meanwhile.
    @concurrent
    public func ping() async throws(NetworkError) { try await connection.ping() }

    /// Sends a close frame, and returns when the connection has ended.
    ///
    /// The server has `WebSocketOptions.closeTimeout` to answer. Calling it again waits for the same end. In a canceled
    /// task it sends the close frame without waiting, so that it can be the last line of a task that is canceled.
    ///
    /// - Parameters:
    ///   - code: 1000 for a normal end, or one of 3000 to 4999 with a meaning of your own. 1000 is sent in place of a
    ///     code that must not be sent.
    ///   - reason: a text for the server, of at most 123 bytes. The rest is cut off.
    @concurrent
    public func close(code: UInt16 = 1000, reason: String = "") async {
        await connection.close(with: WebSocketClose(sending: code, reason: reason))
    }

    /// The messages of a server.
    public struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: WebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Reads the messages one by one.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let socket: WebSocket

            /// Returns the next message; `nil` after a normal end.
            @concurrent
            public mutating func next() async throws(NetworkError) -> Message? {
                try await socket.owner.connection.receive()
            }
        }
    }
}
