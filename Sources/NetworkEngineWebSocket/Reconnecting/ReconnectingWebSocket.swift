public import NetworkEngine

/// A WebSocket that reopens when its connection is lost.
///
/// ```swift
/// let socket = client.webSocket(.get("/prices"), reconnecting: ReconnectPolicy()) { socket in
///     try await socket.send(json: Subscribe(symbols: symbols))
/// }
/// for try await message in socket.messages { show(message) }
/// ```
/// The first connection is opened immediately, and the closure runs after each opening, before other messages are sent.
/// `states` reports the connection's state. Releasing the socket closes its connection.
///
/// `send` returns when the system has accepted the message for an open connection. If losing the connection interrupts
/// a message, the message is sent again over the next connection, or its call throws, depending on the policy; no
/// message is dropped without an error. Only the server can tell which messages it received before a connection was
/// lost, so let the closure request the missing ones.
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

    /// The current state.
    public var state: WebSocketState { core.phase }

    /// The total size of messages waiting for a connection in bytes.
    var keptSize: Int { core.keptSize }

    /// The states, starting with the current one.
    ///
    /// It ends after `closed`. A slow reader receives only the latest state.
    public var states: States { States(socket: self) }

    /// The server's messages, over all connections.
    ///
    /// The sequence ends after a normal close, and after `close()`. It throws the error that closes the socket for
    /// good. Each message is delivered once, and messages from a lost connection come first. The next connection is
    /// opened when they have been read, so that the closure can tell what is missing, or after
    /// `ReconnectPolicy.readingTime`. Canceling the reading task throws `.cancelled`, and leaves the socket open.
    ///
    /// A socket without a reader fills its buffer. If it only sends, use the `.ignoringMessages` policy.
    public var messages: Messages { Messages(socket: self) }

    /// Sends a message, and returns when the system has accepted it.
    ///
    /// Without an open connection it throws `.connection`, or waits for the next one, depending on the policy.
    /// Canceling the task stops waiting; a message that is being sent may still arrive.
    @concurrent
    public func send(_ message: WebSocketMessage) async throws(NetworkError) { try await core.send(message) }

    /// Sends a close frame, and returns when the connection has closed. The socket does not reconnect.
    ///
    /// Waiting calls of `send` throw `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - code: 1000 for a normal close, or an application-defined code from 3000 to 4999.
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

    /// The messages from a server.
    public struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: ReconnectingWebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Reads the messages one by one.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate let socket: ReconnectingWebSocket

            /// Returns the next message; `nil` after a normal close.
            @concurrent
            public mutating func next() async throws(NetworkError) -> WebSocketMessage? {
                try await socket.core.receive()
            }
        }
    }
}
