package import NetworkEngine

/// The messages and pings of a connection that gives one message for each request, as a task of URLSession does.
///
/// A pure value. A request is open while there is room for messages, so that the end of the connection is noticed also
/// while no task reads.
package struct WebSocketInbox: Sendable {
    package typealias Signal = OneShot<Void>
    package typealias Receipt = OneShot<Result<Void, NetworkError>>

    package enum Reading: Sendable {
        case message(WebSocketMessage)
        /// No message waits, and none follows.
        case end
        /// No message waits. The signal is given with the next one, and at the end.
        case wait(Signal)
    }

    private let limit: Int
    private var messages = WebSocketQueue<WebSocketMessage>()
    private var isRequesting = false
    private var hasEnded = false
    private var arrival = Signal()
    private var awaited: [Receipt] = []
    /// The number of messages that have arrived.
    package private(set) var arrivals = 0

    /// - Parameter limit: the number of bytes of messages that wait for a reader.
    package init(limit: Int) { self.limit = max(1, limit) }

    package var isEmpty: Bool { messages.isEmpty }

    private var isFull: Bool { messages.size >= limit }

    /// Whether a connection without a pong is not lost: messages have arrived since a number of them, or the connection
    /// is not read because of a slow reader.
    package func isAlive(since arrivals: Int) -> Bool { isFull || self.arrivals > arrivals }

    /// Whether the connection is asked for a message now.
    package mutating func startsRequest() -> Bool {
        guard !isRequesting, !hasEnded, !isFull else { return false }
        isRequesting = true
        return true
    }

    /// The request is answered.
    ///
    /// - Parameter message: `nil` for a message of an unknown type.
    /// - Returns: the signal to give.
    package mutating func received(_ message: WebSocketMessage?) -> Signal {
        isRequesting = false
        arrivals += 1
        if let message { messages.append(message, size: message.size + 64) }
        return takeArrival()
    }

    package mutating func next() -> Reading {
        if let message = messages.popFirst() { return .message(message) }
        return hasEnded ? .end : .wait(arrival)
    }

    /// A message or a ping is sent.
    ///
    /// - Returns: `false` if the connection has ended, and nothing is sent.
    package mutating func awaits(_ receipt: Receipt) -> Bool {
        if !hasEnded { awaited.append(receipt) }
        return !hasEnded
    }

    package mutating func answered(_ receipt: Receipt) {
        // Usually the first one.
        if let index = awaited.firstIndex(where: { $0.identity == receipt.identity }) { awaited.remove(at: index) }
    }

    /// The connection has ended.
    ///
    /// - Returns: the signal to give, and the messages and pings without an answer: the system can drop their handlers.
    package mutating func ended() -> (signal: Signal, awaited: [Receipt]) {
        hasEnded = true
        defer { awaited = [] }
        return (takeArrival(), awaited)
    }

    private mutating func takeArrival() -> Signal {
        defer { arrival = Signal() }
        return arrival
    }
}
