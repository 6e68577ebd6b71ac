import NetworkEngine

/// The messages and pings of a connection that returns one message per request, like a `URLSession` task.
///
/// A pure value. A request is pending while there is space for messages, so that the end of the connection is noticed
/// even while no task reads.
struct WebSocketInbox: Sendable {
    typealias Signal = OneShot<Void>
    typealias Receipt = OneShot<Result<Void, NetworkError>>

    enum Reading: Sendable {
        case message(WebSocketMessage)
        /// No message waits, and none will follow.
        case end
        /// No message waits. The signal is sent with the next one, and at the end.
        case wait(Signal)
    }

    private var messages: UnreadMessages
    private var isRequesting = false
    private var hasEnded = false
    private var arrival = Signal()
    private var awaited: [Receipt] = []
    /// The number of received messages.
    private(set) var arrivals = 0

    /// - Parameter limit: the number of bytes of messages waiting for a reader.
    init(limit: Int) { messages = UnreadMessages(limit: limit) }

    var isEmpty: Bool { messages.isEmpty }

    private var isFull: Bool { !messages.hasRoom }

    /// Messages from earlier connections wait for the same reader.
    mutating func reserve(_ size: Int) { messages.reserved = size }

    /// Removes the unread messages.
    mutating func takeUnreadMessages() -> [WebSocketMessage] { messages.removeAll() }

    /// Whether a connection without a pong is alive: messages have arrived since the given count, or a slow reader
    /// prevents reading from the connection.
    func isAlive(since arrivals: Int) -> Bool { isFull || self.arrivals > arrivals }

    /// Whether to request a message from the connection now.
    mutating func startsRequest() -> Bool {
        guard !isRequesting, !hasEnded, !isFull else { return false }
        isRequesting = true
        return true
    }

    /// The request has been answered.
    ///
    /// - Parameter message: `nil` for a message of an unknown type.
    /// - Returns: the signal to send.
    mutating func received(_ message: WebSocketMessage?) -> Signal {
        isRequesting = false
        arrivals += 1
        if let message { messages.append(message) }
        return takeArrival()
    }

    mutating func next() -> Reading {
        if let message = messages.popFirst() { return .message(message) }
        return hasEnded ? .end : .wait(arrival)
    }

    /// A message or a ping is about to be sent.
    ///
    /// - Returns: `false` if the connection has ended, so that nothing is sent.
    mutating func awaits(_ receipt: Receipt) -> Bool {
        if !hasEnded { awaited.append(receipt) }
        return !hasEnded
    }

    mutating func answered(_ receipt: Receipt) {
        // Usually the first one.
        if let index = awaited.firstIndex(where: { $0.identity == receipt.identity }) { awaited.remove(at: index) }
    }

    /// The connection has ended.
    ///
    /// - Returns: the signal to send, and the unanswered messages and pings, because the system may drop their
    ///   handlers.
    mutating func ended() -> (signal: Signal, awaited: [Receipt]) {
        hasEnded = true
        defer { awaited = [] }
        return (takeArrival(), awaited)
    }

    private mutating func takeArrival() -> Signal {
        defer { arrival = Signal() }
        return arrival
    }
}
