package import NetworkEngine

/// The messages that a task of URLSession was given, and has not sent yet.
///
/// A pure value.
package struct WebSocketBacklog: Sendable {
    private let options: WebSocketOptions
    /// The number of bytes that wait.
    private var size = 0
    private var given = 0
    private var sent = 0

    package init(_ options: WebSocketOptions) { self.options = options }

    /// Adds a message, unless too many bytes wait.
    package mutating func add(_ size: Int) throws(NetworkError) {
        try options.checkRoom(for: size, behind: given == sent ? nil : self.size)
        self.size += size
        given += 1
    }

    /// A message was sent, or has failed.
    package mutating func remove(_ size: Int) {
        self.size -= size
        sent += 1
    }

    /// Whether some of the messages were sent since an earlier time, and some of that time still wait.
    ///
    /// A ping of that time waits behind them, so that it has no answer yet.
    package func isMoving(since earlier: WebSocketBacklog) -> Bool { sent > earlier.sent && sent < earlier.given }
}
