import NetworkEngine

/// A WebSocket that is opened again: its connection, and the messages that wait for one.
struct ReconnectingState {
    typealias Signal = OneShot<Void>
    typealias Receipt = OneShot<Result<Void, NetworkError>>

    /// A message that waits for a connection.
    struct Kept: Sendable {
        let message: WebSocketMessage
        let receipt: Receipt
        /// The number of its call. Earlier calls have smaller ones.
        let number: Int
    }

    /// What is to be done before a connection is open for all messages.
    enum Departure {
        case send(Kept)
        /// Calls whose messages were cut off have not returned from the connection before.
        case wait(Signal)
        case nothing([Signal])
    }

    /// The way of a message.
    enum Route {
        case now(WebSocket)
        case kept(Receipt)
    }

    enum Reading {
        case from(WebSocket)
        /// A message of a lost connection. After the last one, the open connection has all the room.
        case message(WebSocketMessage, relieved: WebSocket?)
        case wait(Signal)
        case end(NetworkError?)
    }

    private(set) var phase = WebSocketState.connecting
    /// Counts the phases.
    private(set) var version = 0
    /// Given at the next change.
    private(set) var change = Signal()
    /// The open connection; `nil` while there is none that takes messages.
    private var current: WebSocket?
    /// The open connection, or a lost one with messages that were not read yet.
    private(set) var readable: WebSocket?
    /// The messages of lost connections that were not read before the next one was opened.
    private var unread = WebSocketQueue<WebSocketMessage>()
    private let ignoresMessages: Bool
    private var kept = WebSocketQueue<Kept>()
    /// The kept message that is being sent.
    private var departing: Kept?
    private let unsent: ReconnectPolicy.UnsentMessages
    /// Counts the calls.
    private var calls = 0
    /// The calls whose messages are with a connection, if others are kept. Those of a lost one return soon.
    private var underway: Set<Int> = []
    /// Given when all of them have returned; made when a task waits.
    private var allReturned: Signal?

    init(_ policy: ReconnectPolicy) { (unsent, ignoresMessages) = (policy.unsentMessages, policy.ignoresMessages) }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Whether another connection may be opened: the messages of the one before were read.
    var mayOpen: Bool { isClosed || readable == nil }

    private mutating func changed() -> [Signal] {
        defer { change = Signal() }
        return [change]
    }

    private mutating func enter(_ phase: WebSocketState) -> [Signal] {
        self.phase = phase
        version += 1
        return changed()
    }

    // MARK: Connections

    /// A connection is going to be opened.
    mutating func connecting() -> [Signal] { isClosed ? [] : enter(.connecting) }

    /// No connection is open for a time.
    mutating func waiting(_ pause: Duration, after error: NetworkError) -> [Signal] {
        isClosed ? [] : enter(.waiting(pause, after: error))
    }

    /// The messages of a connection can be read. Returns `nil` if the socket was closed meanwhile.
    mutating func adopt(_ socket: WebSocket) -> [Signal]? {
        if isClosed { return nil }
        readable = socket
        return changed()
    }

    /// The kept message to send next. If there is none, the connection is open for all messages.
    mutating func nextKept(over socket: WebSocket) -> Departure {
        if isClosed { return .nothing([]) }
        // A message that was cut off is sent before those of later calls.
        if !underway.isEmpty {
            let signal = allReturned ?? Signal()
            allReturned = signal
            return .wait(signal)
        }
        departing = departing ?? kept.popFirst()
        if let departing { return .send(departing) }
        current = socket
        return .nothing(enter(.open))
    }

    /// A kept message was sent.
    mutating func departed() { departing = nil }

    /// A connection takes no more messages.
    mutating func lost(_ socket: WebSocket) {
        if current === socket { current = nil }
    }

    /// A connection has ended. Its unread messages can still be read.
    mutating func ended(_ socket: WebSocket) -> [Signal] {
        lost(socket)
        return socket.hasUnreadMessages && !ignoresMessages ? [] : drained(socket)
    }

    /// The number of bytes of messages of lost connections.
    var unreadSize: Int { unread.size }

    /// The next connection is opened although messages of the one before were not read. They wait here, up to the limit
    /// of the connection. The first message that exceeds it is the last.
    mutating func setAside(_ messages: [WebSocketMessage], of socket: WebSocket) -> [Signal] {
        for message in messages where unread.size < socket.bufferLimit {
            unread.append(message, size: message.queuedSize)
        }
        return drained(socket)
    }

    /// All messages of a connection were read.
    mutating func drained(_ socket: WebSocket) -> [Signal] {
        guard readable === socket else { return [] }
        readable = nil
        return changed()
    }

    /// Ends the socket. Returns the calls that fail.
    mutating func close(_ error: NetworkError?) -> ([Signal], [Receipt]) {
        if isClosed { return ([], []) }
        let receipts = (departing.map { [$0] } ?? []) + kept.removeAll()
        (departing, current) = (nil, nil)
        return (enter(.closed(error)), receipts.map(\.receipt))
    }

    /// Forgets the connection, which ends it.
    mutating func release() { readable = nil }

    // MARK: Messages

    /// The number of bytes of messages that wait for a connection.
    var keptSize: Int { kept.size }

    /// The number of a new call.
    mutating func nextNumber() -> Int {
        calls += 1
        return calls
    }

    /// Decides on the message of a call.
    mutating func route(_ message: WebSocketMessage, of number: Int) throws(NetworkError) -> Route {
        if case .closed(let error) = phase { throw error ?? .closedWebSocket }
        if let current {
            if unsent != .refused { underway.insert(number) }
            return .now(current)
        }
        switch unsent {
        case .refused: throw Self.notOpen
        case .kept(let limit):
            guard message.size <= max(0, limit) - kept.size else {
                throw NetworkError(kind: .limit, reason: "more than \(limit) bytes of messages wait for a connection")
            }
            let receipt = Receipt()
            kept.insert(Kept(message: message, receipt: receipt, number: number), size: message.size) {
                $0.number < number
            }
            return .kept(receipt)
        }
    }

    /// A call has ended, or its message waits for the next connection.
    mutating func returned(_ number: Int) -> [Signal] {
        guard underway.remove(number) != nil, underway.isEmpty else { return [] }
        defer { allReturned = nil }
        return allReturned.map { [$0] } ?? []
    }

    private static var notOpen: NetworkError { NetworkError(.connect, reason: "the WebSocket is not open") }

    /// The error of a message that a connection did not take, if such messages are refused.
    ///
    /// That of a connection which closes says that it is closed for good. The socket is not: another one may follow.
    mutating func refusal(after error: NetworkError, from socket: WebSocket) -> NetworkError {
        guard error.kind == .invalidRequest, !isClosed else { return error }
        lost(socket)
        return Self.notOpen
    }

    /// Removes the message of a call that was canceled.
    mutating func forget(_ receipt: Receipt) {
        kept.remove { $0.receipt.identity == receipt.identity }
        if departing?.receipt.identity == receipt.identity { departing = nil }
    }

    /// The connection to read from.
    mutating func reading() -> Reading {
        if let message = unread.popFirst() { return .message(message, relieved: unread.isEmpty ? readable : nil) }
        if let readable, !ignoresMessages { return .from(readable) }
        if case .closed(let error) = phase { return .end(error) }
        return .wait(change)
    }
}
