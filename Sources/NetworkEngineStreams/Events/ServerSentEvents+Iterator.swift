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
        /// The response head of the latest connection.
        private(set) var response: HTTPResponse?
        /// The decoder of the call.
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

        /// Returns the next event; `nil` after the server answered with status 204.
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

        /// Returns the next event. An event that has arrived is returned without leaving the actor of the caller.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> ServerSentEvent? {
            if !isFinished, let event = bufferedEvent() { return event }
            return try await next()
        }

        /// Returns the next complete event of the bytes in memory, and reports the comments before it.
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
                throw NetworkError(.lostMidBody, reason: "the stream of events has ended")
            }
            parser.add(chunk)
            connection?.isEmpty = false
            emptyConnections = 0
        }

        private var eventTooLong: NetworkError {
            let reason = "an event of the stream is larger than \(events.eventLimit) bytes"
            return NetworkError(kind: .limit, reason: reason, request: response?.request)
        }

        /// A server with a longer pause would end the events.
        private static let longestRetry: Duration = .seconds(300)

        /// The pause before the next connection.
        private var retryDelay: Duration {
            parser.retry.map { Swift.max(Swift.min($0, Self.longestRetry), events.minimumRetryDelay) }
                ?? events.retryDelay
        }

        @concurrent
        private mutating func connect() async throws(NetworkError) {
            let isFirst = response == nil
            let (stream, lastEventID) = try await events.connect(
                Connection(lastEventID: isFirst ? nil : parser.lastEventID, idleTimeout: events.idleTimeout), session)
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
            try await (head.isJSON ? withBody(of: stream, head) : head).validateEventStream()
            connection = Connected(chunks: stream.makeAsyncIterator(), start: events.timebase(of: session).now)
            events.onSignal?(.connected(head))
        }

        /// A response in place of the events, with its body, which can say why.
        ///
        /// A body without a length may have no end.
        @concurrent
        private func withBody(of stream: ResponseStream, _ head: HTTPResponse) async throws(NetworkError)
            -> HTTPResponse
        {
            guard let length = stream.length, length <= events.eventLimit else { return head }
            var (response, body) = (head, Data())
            var chunks = stream.makeAsyncIterator()
            do throws(NetworkError) {
                while let chunk = try await chunks.next() { body += chunk }
                response.body = .data(body)
            } catch {
                if error.kind == .cancelled { throw error }
            }
            return response
        }

        /// Waits for the retry delay. Throws if reconnecting cannot help.
        @concurrent
        private mutating func recover(from error: NetworkError) async throws(NetworkError) {
            emptyConnections = isEmptyConnection ? emptyConnections + 1 : 0
            connection = nil
            guard error.isRecoverableByReconnecting, emptyConnections <= events.reconnectLimit else {
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
            isFinished = true
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
    /// Whether the network caused the failure, also that of a refresh, and not the server's response or the caller.
    fileprivate var isRecoverableByReconnecting: Bool {
        switch kind {
        case .connection, .timeout, .offline: true
        case .authentication, .limit: isTemporary(statuses: [])
        default: false
        }
    }
}

extension HTTPResponse {
    fileprivate var isJSON: Bool {
        let type = headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return type == "application/json" || type?.hasSuffix("+json") == true
    }

    fileprivate func validateEventStream() throws(NetworkError) {
        let type = headers["Content-Type"]?.split(separator: ";").first.map { $0.lowercased() } ?? "none"
        let words = type.split(whereSeparator: \.isWhitespace)
        guard statusCode == 200, words == ["text/event-stream"] else {
            let reason = "an event stream needs status 200 and type text/event-stream, not \(statusCode) and \(type)"
            throw NetworkError(kind: .invalidResponse, reason: reason, response: self)
        }
    }
}
