/// The messages that wait for a reader.
struct WebSocketInbox: Sendable {
    private var messages: [WebSocketMessage?] = []
    private var start = 0
    /// The number of bytes of the messages.
    private(set) var size = 0

    mutating func append(_ message: WebSocketMessage) {
        messages.append(message)
        size += message.size
    }

    mutating func popFirst() -> WebSocketMessage? {
        guard start < messages.count else { return nil }
        let message = messages[start].take()
        start += 1
        size -= message?.size ?? 0
        if start == messages.count {
            messages.removeAll(keepingCapacity: messages.count < 1 << 10)
            start = 0
        } else if start > 1 << 10, start > messages.count / 2 {
            messages.removeFirst(start)
            start = 0
        }
        return message
    }
}

extension WebSocketMessage {
    /// The number of bytes that count for the limit; a message without bytes counts, too.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count + 64
        case .data(let data): data.count + 64
        }
    }
}
