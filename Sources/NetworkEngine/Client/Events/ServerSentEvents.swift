/// The events of a server, received until the loop ends.
///
/// ```swift
/// for try await event in provider.events(.news) { show(event.data) }
/// ```
/// When a connection ends or breaks, the events reconnect and resume after the last event. Status 204 ends them. They throw
/// for any other status than 200, another content type, an event beyond `eventLimit`, and when more than `reconnectLimit`
/// connections in a row bring nothing.
///
/// A quiet connection stays open unless `idleTimeout` is set. Breaking out of the loop closes it. A `Last-Event-ID` header of
/// the target or endpoint names the event after which the first connection resumes.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    typealias Connect =
        @Sendable (Connection, CallStorage?) async throws(NetworkError) -> (stream: ResponseStream, lastEventID: String)

    /// What a connection is asked for.
    struct Connection: Sendable {
        /// The event to resume after; `nil` for the first connection, where the request has it.
        let lastEventID: String?
        let idleTimeout: Duration?
    }

    /// Activity between events.
    public enum Signal: Sendable {
        /// A connection is open. The response has no body.
        case connected(HTTPResponse)
        /// The server sent a comment. Servers send comments to keep a connection alive.
        case comment(String)
        /// Connecting failed, or the connection ended, for this reason. The next attempt follows after the pause.
        case reconnecting(after: Duration, reason: NetworkError)
    }

    /// The pause before another connection, until the server names one.
    public var retryDelay: Duration = .seconds(3)
    /// The shortest pause that a server can name. A server that asks for none at all gets this one.
    public var minimumRetryDelay: Duration = .seconds(1)
    /// How many connections in a row may bring nothing: they fail, or end without a byte before the pause would have passed.
    public var reconnectLimit = 10
    /// The bytes that the lines of one event may have, without the ends of lines and without comments.
    public var eventLimit = 16 << 20
    /// The time without any byte after which the events reconnect; unlimited unless set.
    ///
    /// For a server that sends comments to keep connections alive, use two or three times their interval. That detects a
    /// connection that was lost silently.
    public var idleTimeout: Duration?
    /// Receives the activity between events, in order, while the next event is awaited.
    public var onSignal: (@Sendable (Signal) -> Void)?
    /// Whether an event that has a name and no data counts; to browsers it does not.
    package var givesEventsWithoutData = false

    private let timebase: Timebase
    /// Notes in whose session somebody begins to listen: no connection is made in another one.
    private let begin: @Sendable () -> CallStorage?
    private let connect: Connect

    init(
        clock: any Clock<Duration>,
        begin: @escaping @Sendable () -> CallStorage? = { nil },
        connect: @escaping Connect
    ) {
        timebase = .reading(clock)
        self.begin = begin
        self.connect = connect
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Connects when the first event is asked for, and gives events in their order.
    ///
    /// The iterator owns the connection. Dropping the iterator closes the connection.
    public struct Iterator: AsyncIteratorProtocol {
        private struct Open {
            var chunks: ResponseStream.Iterator
            let start: Duration
            var isEmpty = true
        }

        private let events: ServerSentEvents
        private let storage: CallStorage?
        private var parser = EventParser()
        private var connection: Open?
        /// The head of the latest connection.
        private(set) var response: HTTPResponse?
        /// Connections in a row that brought nothing.
        private var fruitless = 0
        private var isOver = false

        fileprivate init(_ events: ServerSentEvents) {
            self.events = events
            storage = events.begin()
            prepareParser()
        }

        private mutating func prepareParser() {
            parser.givesEventsWithoutData = events.givesEventsWithoutData
            parser.givesComments = events.onSignal != nil
            parser.eventLimit = events.eventLimit
        }

        /// The next event; `nil` when the server wants no more connections.
        @concurrent
        public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            while !isOver {
                switch parser.next() {
                case .event(let event): return event
                case .comment(let text): events.onSignal?(.comment(text))
                case nil:
                    do throws(NetworkError) {
                        if parser.isBeyondLimit { throw tooLong }
                        try await goOn()
                    } catch {
                        try await recover(from: error)
                    }
                }
            }
            return nil
        }

        /// Reads what comes next, from a new connection if there is none.
        @concurrent
        private mutating func goOn() async throws(NetworkError) {
            guard connection != nil else { return try await connect() }
            guard let chunk = try await connection?.chunks.next() else {
                throw NetworkError(.lostMidBody, reason: "the stream of events has ended")
            }
            parser.add(chunk)
            connection?.isEmpty = false
            fruitless = 0
        }

        private var tooLong: NetworkError {
            let reason = "an event of the stream is longer than \(events.eventLimit) bytes"
            return NetworkError(kind: .limit, reason: reason, request: response?.request)
        }

        /// The pause before the next connection.
        private var pause: Duration {
            parser.retry.map { Swift.max($0, events.minimumRetryDelay) } ?? events.retryDelay
        }

        @concurrent
        private mutating func connect() async throws(NetworkError) {
            let isFirst = response == nil
            let (stream, lastEventID) = try await events.connect(
                Connection(lastEventID: isFirst ? nil : parser.lastEventID, idleTimeout: events.idleTimeout), storage)
            if isFirst {
                parser = EventParser(lastEventID: lastEventID)
                prepareParser()
            } else {
                parser.reconnect()
            }
            let head = stream.response.withoutStream
            response = head
            if stream.statusCode == 204 {
                isOver = true
                return
            }
            try head.checkForEvents()
            connection = Open(chunks: stream.makeAsyncIterator(), start: events.timebase.now)
            events.onSignal?(.connected(head))
        }

        /// Waits until another connection may be tried, or throws what nothing can be done about.
        @concurrent
        private mutating func recover(from error: NetworkError) async throws(NetworkError) {
            if isFruitless { fruitless += 1 }
            connection = nil
            guard error.isWorthConnectingAgain, fruitless <= events.reconnectLimit else {
                isOver = true
                throw error
            }
            events.onSignal?(.reconnecting(after: pause, reason: error))
            do {
                try await events.timebase.sleep(for: pause)
            } catch {
                isOver = true
                throw .cancelled(nil)
            }
        }

        /// Whether the attempt to connect has failed, or the connection has ended at once without a byte. One that was open
        /// for a while was good, as quiet as it may have been.
        private var isFruitless: Bool {
            guard let connection else { return true }
            guard connection.isEmpty else { return false }
            let time = events.timebase.now - connection.start
            return time < pause && time < events.idleTimeout ?? pause
        }
    }
}

extension NetworkError {
    /// Whether the network is to blame, and not the server's will or ours.
    fileprivate var isWorthConnectingAgain: Bool {
        switch kind {
        case .connection, .timeout, .offline: true
        default: false
        }
    }
}

extension HTTPResponse {
    fileprivate func checkForEvents() throws(NetworkError) {
        let type = headers["Content-Type"]?.split(separator: ";").first.map { $0.lowercased() } ?? "none"
        let words = type.split(whereSeparator: \.isWhitespace)
        guard statusCode == 200, words == ["text/event-stream"] else {
            let reason = "a stream of events has status 200 and type text/event-stream, not \(statusCode) and \(type)"
            throw NetworkError(kind: .invalidResponse, reason: reason, response: self)
        }
    }
}
