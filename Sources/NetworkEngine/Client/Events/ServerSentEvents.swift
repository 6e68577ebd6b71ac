/// What a server says, event by event, for as long as somebody listens.
///
/// ```swift
/// for try await event in provider.events(.news) { show(event.data) }
/// ```
/// A connection that ends or breaks is followed by another one, which asks to go on after the last event. It ends for good
/// with status 204, when the listener stops, and with an error when the server refuses: any other status than 200, another
/// content type, an event beyond the limit; or when `reconnectLimit` connections in a row brought no event.
public struct ServerSentEvents: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    typealias Connect = @Sendable (_ lastEventID: String, CallNotes?) async throws(NetworkError) -> ResponseStream

    /// The pause before another connection, until the server names one.
    public var retryDelay: Duration = .seconds(3)
    /// The shortest pause that a server can name. A server that asks for none at all gets this one.
    public var minimumRetryDelay: Duration = .seconds(1)
    /// How many connections in a row may end without an event.
    public var reconnectLimit = 10
    /// The bytes that the lines of one event may have, without the ends of lines and without comments.
    public var eventLimit = 16 << 20
    /// Whether an event that has a name and no data counts; to browsers it does not.
    package var givesEventsWithoutData = false

    private let clock: any Clock<Duration>
    /// Notes in whose session somebody begins to listen: no connection is made in another one.
    private let begin: @Sendable () -> CallNotes?
    private let connect: Connect

    init(
        clock: any Clock<Duration>,
        begin: @escaping @Sendable () -> CallNotes? = { nil },
        connect: @escaping Connect
    ) {
        self.clock = clock
        self.begin = begin
        self.connect = connect
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Connects when the first event is asked for, and gives events in their order.
    public struct Iterator: AsyncIteratorProtocol {
        private let events: ServerSentEvents
        private let notes: CallNotes?
        private var parser = EventParser()
        private var connection: (chunks: ResponseStream.Iterator, response: HTTPResponse)?
        /// Connections since the last event.
        private var fruitless = 0
        private var isOver = false

        fileprivate init(_ events: ServerSentEvents) {
            self.events = events
            notes = events.begin()
            parser.givesEventsWithoutData = events.givesEventsWithoutData
            parser.eventLimit = events.eventLimit
        }

        /// The next event; `nil` when the server wants no more connections.
        @concurrent
        public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            while !isOver {
                if let event = parser.next() {
                    fruitless = 0
                    return event
                }
                do throws(NetworkError) {
                    if parser.isBeyondLimit { throw tooLong }
                    try await goOn()
                } catch {
                    try await recover(from: error)
                }
            }
            return nil
        }

        /// Reads what comes next, from a new connection if there is none.
        @concurrent
        private mutating func goOn() async throws(NetworkError) {
            guard var open = connection else { return try await connect() }
            let chunk = try await open.chunks.next()
            connection = open
            guard let chunk else { throw NetworkError(.lostMidBody, reason: "the stream of events has ended") }
            parser.add(chunk)
        }

        private var tooLong: NetworkError {
            let reason = "an event of the stream is longer than \(events.eventLimit) bytes"
            return NetworkError(kind: .limit, reason: reason, request: connection?.response.request)
        }

        /// The pause before the next connection.
        private var pause: Duration {
            parser.retry.map { Swift.max($0, events.minimumRetryDelay) } ?? events.retryDelay
        }

        @concurrent
        private mutating func connect() async throws(NetworkError) {
            let stream = try await events.connect(parser.lastEventID, notes)
            parser.reconnect()
            if stream.statusCode == 204 {
                isOver = true
                return
            }
            try stream.response.checkForEvents()
            connection = (stream.makeAsyncIterator(), stream.response)
        }

        /// Waits until another connection may be tried, or throws what nothing can be done about.
        @concurrent
        private mutating func recover(from error: NetworkError) async throws(NetworkError) {
            connection = nil
            fruitless += 1
            guard error.isWorthConnectingAgain, fruitless <= events.reconnectLimit else {
                isOver = true
                throw error
            }
            do {
                try await events.clock.sleep(for: pause)
            } catch {
                isOver = true
                throw .cancelled(nil)
            }
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
            throw NetworkError(kind: .invalidResponse, reason: reason, response: withoutStream)
        }
    }
}
