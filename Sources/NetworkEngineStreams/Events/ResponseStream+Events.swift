import Foundation
public import NetworkEngine

extension ResponseStream {
    /// Returns the events in this response's body, whatever the request method.
    ///
    /// ```swift
    /// let stream = try await client.stream(.post("/chat").json(question))
    /// for try await event in stream.events() { show(event.data) }
    /// ```
    /// The request is never sent again: the events end with the response, and a lost connection throws. They also end
    /// at an event with the data `[DONE]`, or when `ResponseStream.Events.isEnd` returns true. A response with a
    /// content type other than `text/event-stream` throws `.invalidResponse`, unless `acceptsJSON` is set.
    public func events() -> Events { Events(stream: self) }

    /// The events in one response.
    public struct Events: AsyncSequence, Sendable {
        let stream: ResponseStream
        private let progress = Locked(Progress())
        /// The maximum number of bytes in an event, without line endings and comments.
        public var eventLimit = 16 << 20
        /// Whether an event only marks the end. By default, an event with the data `[DONE]` does.
        public var isEnd: @Sendable (ServerSentEvent) -> Bool = { $0.data == "[DONE]" }
        /// The app's error for an event that reports a failure; `nil`, the default, for every other event.
        ///
        /// ```swift
        /// events.failure = { $0.name == "error" ? ChatError(message: $0.data) : nil }
        /// ```
        /// The error ends the events. It is thrown as the `underlying` error of a `NetworkError` of kind
        /// `.invalidResponse`, with the event's data as its response body. If a client maps errors, an error of the
        /// app's error type is thrown directly.
        public var failure: @Sendable (ServerSentEvent) -> (any Error)? = { _ in nil }
        /// Whether to treat a JSON body as one event with the body as its data. A response without a body has no event.
        ///
        /// A Model Context Protocol server responds to a POST with a JSON document, with events, or with status 202.
        public var acceptsJSON = false

        /// The latest iterator's progress.
        fileprivate struct Progress {
            var lastEventID = ""
            var retryDelay: Duration?
        }

        fileprivate init(stream: ResponseStream) { self.stream = stream }

        /// The last identifier that the server sent; empty if there was none.
        ///
        /// It is also available after an error. To resume the events, send a request with this `Last-Event-ID`.
        public var lastEventID: String { progress.withLock { $0.lastEventID } }

        /// The delay before the next request, from the server's `retry` field; `nil` if the server did not set one.
        public var retryDelay: Duration? { progress.withLock { $0.retryDelay } }

        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// Reads the events. Releasing the iterator closes the connection.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            private let events: Events
            private var parser = EventParser()
            /// `nil` before the first event and after the last one.
            private var chunks: ResponseStream.Iterator?
            private var hasBegun = false
            let response: HTTPResponse

            fileprivate init(_ events: Events) {
                self.events = events
                parser.eventLimit = events.eventLimit
                response = events.stream.response.withoutStream
            }

            /// The last identifier that the server sent. It is also available after an error.
            public var lastEventID: String { parser.lastEventID }

            /// Returns the next event; `nil` after the last one.
            @concurrent
            public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
                if !hasBegun, let document = try await begin() { return try checked(document) }
                while chunks != nil {
                    if let event = try bufferedEvent() { return event }
                    guard let chunk = try await chunks?.next() else { break }
                    parser.add(chunk)
                }
                chunks = nil
                return nil
            }

            /// Returns the next event. An event that has arrived is returned without leaving the caller's actor.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(NetworkError) -> ServerSentEvent? {
                if chunks != nil, let event = try bufferedEvent() { return event }
                return try await next()
            }

            /// Starts reading.
            ///
            /// - Returns: the only event in a response that is not an event stream.
            @concurrent
            private mutating func begin() async throws(NetworkError) -> ServerSentEvent? {
                hasBegun = true
                if response.statusCode == 204 { return nil }
                if events.acceptsJSON, 200...299 ~= response.statusCode, !response.isEventStream {
                    return try await events.stream.document(limit: events.eventLimit)
                }
                try await response.validateEventStream(
                    statuses: 200...299, of: events.stream, limit: events.eventLimit)
                chunks = events.stream.makeAsyncIterator()
                return nil
            }

            /// Returns the next complete event in the bytes in memory.
            private mutating func bufferedEvent() throws(NetworkError) -> ServerSentEvent? {
                let (id, retry) = (parser.lastEventID, parser.retry)
                let event = parser.next()
                if parser.lastEventID != id || parser.retry != retry { note() }
                if let event {
                    guard events.isEnd(event) else { return try checked(event) }
                    chunks = nil
                } else if parser.isBeyondLimit {
                    chunks = nil
                    throw .event(largerThan: events.eventLimit, from: response)
                }
                return nil
            }

            private func note() {
                events.progress.withLock { ($0.lastEventID, $0.retryDelay) = (parser.lastEventID, parser.retry) }
            }

            /// Returns the event, unless it reports a failure.
            private mutating func checked(_ event: ServerSentEvent) throws(NetworkError) -> ServerSentEvent {
                guard let failure = events.failure(event) else { return event }
                chunks = nil
                var response = response
                response.body = .data(Data(event.data.utf8))
                let decoding = events.stream.decoder?.standard
                if let failure = failure as? NetworkError {
                    throw failure.completed(response: response, decoding: decoding)
                }
                let reason = "the server sent an event that reports a failure"
                throw NetworkError(kind: .invalidResponse, reason: reason, response: response, underlying: failure)
                    .completed(decoding: decoding)
            }
        }
    }
}

extension ResponseStream {
    /// The JSON body as an event; `nil` for an empty body.
    @concurrent
    fileprivate func document(limit: Int) async throws(NetworkError) -> ServerSentEvent? {
        var body = Data()
        var chunks = makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard response.isJSON else { throw response.withoutStream.noEventStream(statuses: 200...299) }
            guard body.count <= limit, chunk.count <= limit - body.count else {
                throw .event(largerThan: limit, from: response)
            }
            body += chunk
        }
        return body.isEmpty ? nil : ServerSentEvent(data: String(decoding: body, as: UTF8.self))
    }
}

extension MappedSequence where Base == ResponseStream {
    /// Returns the events in this response's body, whatever the request method.
    public func events() -> MappedSequence<ResponseStream.Events, Failure> {
        mapping(base.events()) { ResponseStream.Events.failure(in: $0) }
    }

    /// Returns the data of the events in this response's body, decoded as JSON.
    public func events<Value: Decodable & Sendable>(
        as type: Value.Type
    ) -> MappedSequence<ResponseStream.EventValues<Value>, Failure> {
        mapping(base.events(as: type)) { ResponseStream.Events.failure(in: $0) }
    }
}

extension ResponseStream.Events {
    /// The app's error for an event, if it has the client's error type.
    fileprivate static func failure<Failure: Error>(in error: any Error) -> Failure? {
        guard let error = error as? NetworkError, error.kind == .invalidResponse else { return nil }
        return error.underlying as? Failure
    }
}
