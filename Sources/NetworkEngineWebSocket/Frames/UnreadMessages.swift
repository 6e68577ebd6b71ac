/// A connection's messages waiting for a reader, and the space for more.
struct UnreadMessages: Sendable {
    private var messages = WebSocketQueue<WebSocketMessage>()
    private let limit: Int
    /// The number of bytes of waiting messages from earlier connections.
    var reserved = 0

    /// - Parameter limit: the number of bytes of waiting messages. If nothing waits, one message always fits.
    init(limit: Int) { self.limit = max(1, limit) }

    var isEmpty: Bool { messages.isEmpty }

    /// Whether to read from the connection.
    var hasRoom: Bool { messages.size < limit && reserved < limit - messages.size }

    mutating func append(_ message: WebSocketMessage) { messages.append(message, size: message.queuedSize) }

    mutating func popFirst() -> WebSocketMessage? { messages.popFirst() }

    /// Removes and returns all messages.
    mutating func removeAll() -> [WebSocketMessage] { messages.removeAll() }
}

extension WebSocketMessage {
    /// The size of a waiting message. An empty one counts, too.
    var queuedSize: Int { size + 64 }
}
