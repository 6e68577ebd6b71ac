import Foundation
public import NetworkEngine

extension ServerSentEvents {
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Connects when the first event is requested. The iterator owns the connection and closes it when released.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private struct Connected {
            var chunks: ResponseStream.Iterator
            let start: Duration
            var isEmpty = true
        }

        private let events: ServerSentEvents
        let session = CallSession()
        private var parser = EventParser()
        private var connection: Connected?
        /// The request's method, once it was sent.
        private let method = Locked<HTTPMethod?>(nil)
        /// The response head of the latest connection.
        package private(set) var response: HTTPResponse?
        /// The call's decoder.
        private(set) var decoder: BodyDecoder?
        /// The number of consecutive connections that failed, or ended quickly without data.
        private var emptyConnections = 0
        private var isFinished = false

        init(_ events: ServerSentEvents) {
            self.events = events
            prepareParser()
        }

        private mutating func prepareParser() {
            parser.includesEventsWithoutData = events.includesEventsWithoutData
            parser.includesComments = events.onSignal != nil || session.call != nil
            parser.eventLimit = events.eventLimit
        }

        /// Returns the next event; `nil` after the server responded with status 204, and after the response to a
        /// request that is not repeatable.
        @concurrent
        public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            while !isFinished {
                if let event = bufferedEvent() { return event }
                do throws(NetworkError) {
                    if parser.isBeyondLimit { throw eventTooLong }
                    try await receive()
                } catch {
                    try await recover(from: error)
                }
            }
            return nil
        }

        /// Returns the next event. An event that has arrived is returned without leaving the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> ServerSentEvent? {
            if !isFinished, let event = bufferedEvent() { return event }
            return try await next()
        }

        /// Returns the next complete event in the bytes in memory, and reports the comments before it.
        private mutating func bufferedEvent() -> ServerSentEvent? {
            let event = parser.next()
            if parser.includesComments {
                for text in parser.takeComments() {
                    session.call?.post(.streamEvent(.init(byteCount: text.utf8.count)))
                    events.onSignal?(.comment(text))
                }
                if let event {
                    session.call?.post(.streamEvent(.init(type: event.name, byteCount: event.data.utf8.count)))
                }
            }
            return event
        }

        /// Reads the next bytes, or connects if no connection is open.
        @concurrent
        private mutating func receive() async throws(NetworkError) {
            guard connection != nil else { return try await connect() }
            guard let chunk = try await connection?.chunks.next() else {
                if !mayReconnect { return finish(nil) }
                throw NetworkError(.lostMidBody, reason: "the stream of events has ended")
            }
            parser.add(chunk)
            connection?.isEmpty = false
            emptyConnections = 0
        }

        private var eventTooLong: NetworkError { .event(largerThan: events.eventLimit, from: response) }

        /// Whether the request may be sent again.
        private var mayReconnect: Bool {
            guard events.reconnectLimit > 0 else { return false }
            return events.isRepeatable || method.withLock { $0 }?.isSafe == true
        }

        /// A server could otherwise end the events with a longer delay.
        private static let longestRetry: Duration = .seconds(300)

        /// The delay before the next connection.
        private var retryDelay: Duration {
            parser.retry.map { Swift.max(Swift.min($0, Self.longestRetry), events.minimumRetryDelay) }
                ?? events.retryDelay
        }

        @concurrent
        private mutating func connect() async throws(NetworkError) {
            let isFirst = response == nil
            let (stream, lastEventID) = try await events.connect(
                Connection(
                    lastEventID: isFirst ? nil : parser.lastEventID, idleTimeout: events.idleTimeout, method: method),
                session)
            if isFirst {
                parser = EventParser(lastEventID: lastEventID)
                prepareParser()
            } else {
                parser.reconnect()
            }
            let head = stream.response.withoutStream
            (response, decoder) = (head, stream.decoder)
            if stream.statusCode == 204 {
                finish(nil)
                return
            }
            try await head.validateEventStream(statuses: 200...200, of: stream, limit: events.eventLimit)
            connection = Connected(chunks: stream.makeAsyncIterator(), start: events.timebase(of: session).now)
            events.onSignal?(.connected(head))
        }

        /// Waits for the retry delay. Throws if reconnecting cannot help.
        @concurrent
        private mutating func recover(from error: NetworkError) async throws(NetworkError) {
            emptyConnections = isEmptyConnection ? emptyConnections + 1 : 0
            connection = nil
            guard mayReconnect, error.isRecoverableByReconnecting, emptyConnections <= events.reconnectLimit else {
                finish(error)
                throw error
            }
            session.call?.post(
                .reconnecting(.init(number: emptyConnections, delay: retryDelay, reason: error.description)))
            events.onSignal?(.reconnecting(after: retryDelay, reason: error))
            do {
                try await events.timebase(of: session).sleep(for: retryDelay)
            } catch {
                finish(.cancelled(nil))
                throw .cancelled(nil)
            }
        }

        private mutating func finish(_ error: NetworkError?) {
            (isFinished, connection) = (true, nil)
            session.call?.end(error)
        }

        /// Whether connecting failed, or the connection ended quickly without data. A connection that was open for
        /// longer counts as successful.
        private var isEmptyConnection: Bool {
            guard let connection else { return true }
            guard connection.isEmpty else { return false }
            let time = events.timebase(of: session).now - connection.start
            return time < retryDelay && time < events.idleTimeout ?? retryDelay
        }
    }
}

extension NetworkError {
    /// Whether the network caused the failure, including a refresh failure, and not the server's response or the
    /// caller.
    fileprivate var isRecoverableByReconnecting: Bool {
        switch kind {
        case .connection, .timeout, .offline: true
        case .authentication, .limit: isTemporary(statuses: [])
        default: false
        }
    }
}
