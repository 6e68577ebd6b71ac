import NetworkEngine

/// The state of a reconnecting WebSocket: its connection, and the messages that wait for one.
struct ReconnectingState {
    typealias Signal = OneShot<Void>
    typealias Receipt = OneShot<Result<Void, NetworkError>>

    /// A message waiting for a connection.
    struct Kept: Sendable {
        let message: WebSocketMessage
        let receipt: Receipt
        /// Its call's number. Earlier calls have smaller ones.
        let number: Int
    }

    /// The next step before a connection accepts all messages.
    enum Departure {
        case send(Kept)
        /// Calls with interrupted messages have not returned from the previous connection.
        case wait(Signal)
        case nothing([Signal])
    }

    /// How to handle a message.
    enum Route {
        case now(WebSocket)
        case kept(Receipt)
    }

    enum Reading {
        case from(WebSocket)
        /// A message from a lost connection. After the last one, the open connection can use the whole buffer.
        case message(WebSocketMessage, relieved: WebSocket?)
        case wait(Signal)
        case end(NetworkError?)
    }

    private(set) var phase = WebSocketState.connecting
    /// Counts the phases.
    private(set) var version = 0
    /// Signaled at the next change.
    private(set) var change = Signal()
    /// The open connection; `nil` while none accepts messages.
    private var current: WebSocket?
    /// The open connection, or a lost one with unread messages.
    private(set) var readable: WebSocket?
    /// The messages of lost connections that were not read before the next one was opened.
    private var unread = WebSocketQueue<WebSocketMessage>()
    private let ignoresMessages: Bool
    private var kept = WebSocketQueue<Kept>()
    /// The kept message being sent.
    private var departing: Kept?
    private let unsent: ReconnectPolicy.UnsentMessages
    /// Counts the calls.
    private var calls = 0
    /// The calls that have passed their messages to a connection while others are kept. Calls on a lost connection
    /// return soon.
    private var underway: Set<Int> = []
    /// Signaled when all of them have returned; created when a task waits.
    private var allReturned: Signal?

    init(_ policy: ReconnectPolicy) { (unsent, ignoresMessages) = (policy.unsentMessages, policy.ignoresMessages) }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Whether another connection may be opened: the previous one's messages were read.
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

    /// A connection is about to be opened.
    mutating func connecting() -> [Signal] { isClosed ? [] : enter(.connecting) }

    /// No connection is open for a while.
    mutating func waiting(_ pause: Duration, after error: NetworkError) -> [Signal] {
        isClosed ? [] : enter(.waiting(pause, after: error))
    }

    /// A connection's messages can be read. Returns `nil` if the socket was closed in the meantime.
    mutating func adopt(_ socket: WebSocket) -> [Signal]? {
        if isClosed { return nil }
        readable = socket
        return changed()
    }

    /// The kept message to send next. If there is none, the connection accepts all messages.
    mutating func nextKept(over socket: WebSocket) -> Departure {
        if isClosed { return .nothing([]) }
        // An interrupted message is sent before those of later calls.
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

    /// A connection accepts no more messages.
    mutating func lost(_ socket: WebSocket) {
        if current === socket { current = nil }
    }

    /// A connection has ended. Its unread messages can still be read.
    mutating func ended(_ socket: WebSocket) -> [Signal] {
        lost(socket)
        return socket.hasUnreadMessages && !ignoresMessages ? [] : drained(socket)
    }

    /// The total size of messages from lost connections in bytes.
    var unreadSize: Int { unread.size }

    /// The next connection is opened although the previous one has unread messages. They wait here, up to the
    /// connection's limit. The first message that exceeds it is the last.
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

    /// Closes the socket. Returns the calls that fail.
    mutating func close(_ error: NetworkError?) -> ([Signal], [Receipt]) {
        if isClosed { return ([], []) }
        let receipts = (departing.map { [$0] } ?? []) + kept.removeAll()
        (departing, current) = (nil, nil)
        return (enter(.closed(error)), receipts.map(\.receipt))
    }

    /// Releases the connection, which closes it.
    mutating func release() { readable = nil }

    // MARK: Messages

    /// The total size of messages waiting for a connection in bytes.
    var keptSize: Int { kept.size }

    /// Returns the number for a new call.
    mutating func nextNumber() -> Int {
        calls += 1
        return calls
    }

    /// Decides how to handle a call's message.
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

    /// The error for a message that a connection did not accept, if such messages are refused.
    ///
    /// A closing connection reports that it is closed for good. The socket isn't, because it can reconnect.
    mutating func refusal(after error: NetworkError, from socket: WebSocket) -> NetworkError {
        guard error.kind == .invalidRequest, !isClosed else { return error }
        lost(socket)
        return Self.notOpen
    }

    /// Removes the message of a canceled call.
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
