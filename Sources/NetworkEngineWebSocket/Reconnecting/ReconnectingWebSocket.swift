public import NetworkEngine

/// A WebSocket that is opened again when its connection is lost.
///
/// ```swift
/// let socket = client.webSocket(.get("/prices"), reconnecting: ReconnectPolicy()) { socket in
///     try await socket.send(json: Subscribe(symbols: symbols))
/// }
/// for try await message in socket.messages { show(message) }
/// ```
/// The first connection is opened at once, and the closure runs after each opening, before other messages are sent. A
/// sequence tells the state of the connection. Releasing the socket ends its connection.
///
/// `send` returns when the system has taken the message for an open connection. A message that was cut off by the end
/// of its connection is sent again over the next one, or its call throws, as the policy says; no message is dropped
/// without an error. Only the server knows which messages it has received before a connection was lost: let the closure
/// ask for what is missing.
public final class ReconnectingWebSocket: Sendable {
    fileprivate let core: ReconnectingCore

    init(
        _ policy: ReconnectPolicy,
        open: @escaping @Sendable () async throws(NetworkError) -> WebSocket,
        onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) {
        core = ReconnectingCore(policy, open: open, onOpen: onOpen)
        core.start()
    }

    deinit { core.abandon() }

    /// The state now.
    public var state: WebSocketState { core.phase }

    /// The number of bytes of messages that wait for a connection.
    var keptSize: Int { core.keptSize }

    /// The states, beginning with that of now.
    ///
    /// It ends after `closed`. A reader that is slow gets the latest state, not each one.
    public var states: States { States(socket: self) }

    /// The messages of the server, over all connections.
    ///
    /// The sequence ends after a normal end, and after `close()`. It throws the error that ends the socket for good.
    /// Each message is delivered once, and those of a lost connection come first. The next connection is opened when
    /// they were read, so that the closure knows what is missing, or after `ReconnectPolicy.readingTime`. Canceling the
    /// task that reads throws `.cancelled`, and leaves the socket open.
    ///
    /// A socket without a reader fills its buffer. If it only sends, its policy is `.ignoringMessages`.
    public var messages: Messages { Messages(socket: self) }

    /// Sends a message, and returns when the system has taken it.
    ///
    /// Without an open connection it throws `.connection`, or waits for the next one, as the policy says. Canceling the
    /// task stops the wait; a message that is being sent may arrive nevertheless.
    @concurrent
    public func send(_ message: WebSocketMessage) async throws(NetworkError) { try await core.send(message) }

    /// Sends a close frame, and returns when the connection has ended. No other one is opened.
    ///
    /// Waiting calls of `send` throw `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - code: 1000 for a normal end, or one of 3000 to 4999 with a meaning of your own.
    ///   - reason: a text for the server, of at most 123 bytes.
    @concurrent
    public func close(code: UInt16 = 1000, reason: String = "") async { await core.close(code, reason) }

    /// The states of a socket.
    public struct States: AsyncSequence, Sendable {
        public typealias Failure = Never

        fileprivate let socket: ReconnectingWebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Reads the states one by one.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let socket: ReconnectingWebSocket
            private var seen: Int?

            fileprivate init(socket: ReconnectingWebSocket) { self.socket = socket }

            /// Returns the next state; `nil` after the last one, and if the task is canceled.
            @concurrent
            public mutating func next() async -> WebSocketState? { await socket.core.state(after: &seen) }
        }
    }

    /// The messages of a server.
    public struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: ReconnectingWebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Reads the messages one by one.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let socket: ReconnectingWebSocket

            /// Returns the next message; `nil` after a normal end.
            @concurrent
            public mutating func next() async throws(NetworkError) -> WebSocketMessage? {
                try await socket.core.receive()
            }
        }
    }
}
