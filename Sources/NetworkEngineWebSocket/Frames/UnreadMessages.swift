/// The messages of a connection that wait for a reader, and the room for more.
struct UnreadMessages: Sendable {
    private var messages = WebSocketQueue<WebSocketMessage>()
    private let limit: Int
    /// The number of bytes of messages from earlier connections that wait, too.
    var reserved = 0

    /// - Parameter limit: the number of bytes of messages that wait. One message always fits if none waits anywhere.
    init(limit: Int) { self.limit = max(1, limit) }

    var isEmpty: Bool { messages.isEmpty }

    /// Whether the connection is read.
    var hasRoom: Bool { messages.size < limit && reserved < limit - messages.size }

    mutating func append(_ message: WebSocketMessage) { messages.append(message, size: message.queuedSize) }

    mutating func popFirst() -> WebSocketMessage? { messages.popFirst() }

    /// Removes all messages, and returns them.
    mutating func removeAll() -> [WebSocketMessage] { messages.removeAll() }
}

extension WebSocketMessage {
    /// The size of a message that waits. One without bytes counts, too.
    var queuedSize: Int { size + 64 }
}
