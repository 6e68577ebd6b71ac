import NetworkEngine

/// The messages passed to a `URLSession` task that it has not sent yet.
///
/// A pure value.
struct WebSocketBacklog: Sendable {
    private let options: WebSocketOptions
    /// The sizes of the messages. The first one is being sent.
    private var sizes: ArraySlice<Int> = []
    private var total = 0
    private var given = 0
    private var sent = 0

    init(_ options: WebSocketOptions) { self.options = options }

    /// Adds a message, unless too many bytes wait.
    mutating func add(_ size: Int) throws(NetworkError) {
        try options.checkRoom(for: size, behind: sizes.count < 2 ? nil : total - (sizes.first ?? 0))
        sizes.append(size)
        total += size
        given += 1
    }

    /// The first message was sent, or has failed.
    mutating func removeFirst() {
        guard let size = sizes.popFirst() else { return }
        total -= size
        sent += 1
    }

    /// Whether all messages passed up to an earlier time are sent. A ping from that time is sent after them.
    func hasSentAll(of earlier: WebSocketBacklog) -> Bool { sent >= earlier.given }

    /// Whether messages were sent since an earlier time.
    func isMoving(since earlier: WebSocketBacklog) -> Bool { sent > earlier.sent }
}
