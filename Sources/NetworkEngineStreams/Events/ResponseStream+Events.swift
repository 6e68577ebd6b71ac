import Foundation
public import NetworkEngine

extension ResponseStream {
    /// Returns the events in the body of this response, whatever the method of its request.
    ///
    /// ```swift
    /// let stream = try await client.stream(.post("/chat").json(question))
    /// for try await event in stream.events() { show(event.data) }
    /// ```
    /// The request is never sent again: the events end with the response, and a lost connection throws. They also end
    /// at an event with the data `[DONE]`, and where `ResponseStream.Events.isEnd` says so. A response with another
    /// content type than `text/event-stream` throws `.invalidResponse`, unless `acceptsJSON` is set.
    public func events() -> Events { Events(stream: self) }

    /// The events of one response.
    public struct Events: AsyncSequence, Sendable {
        let stream: ResponseStream
        private let progress = Locked(Progress())
        /// The maximum number of bytes of an event, without line endings and comments.
        public var eventLimit = 16 << 20
        /// Whether an event only marks the end. By default it is one with the data `[DONE]`.
        public var isEnd: @Sendable (ServerSentEvent) -> Bool = { $0.data == "[DONE]" }
        /// The app's error for an event that reports a failure; `nil`, the default, for every other event.
        ///
        /// ```swift
        /// events.failure = { $0.name == "error" ? ChatError(message: $0.data) : nil }
        /// ```
        /// The error ends the events. It is thrown as the `underlying` error of a `NetworkError` of kind
        /// `.invalidResponse`, and the body of that error's response is the data of the event. With the mapped errors
        /// of a client, an error of the app's type is thrown as it is.
        public var failure: @Sendable (ServerSentEvent) -> (any Error)? = { _ in nil }
        /// Whether a JSON body counts as one event with the body as its data. A response without a body has no event.
        ///
        /// A server of the Model Context Protocol answers a POST with a JSON document, with events, or with status 202.
        public var acceptsJSON = false

        /// What the latest iterator has read.
        fileprivate struct Progress {
            var lastEventID = ""
            var retryDelay: Duration?
        }

        fileprivate init(stream: ResponseStream) { self.stream = stream }

        /// The last identifier that the server has sent; empty if there was none.
        ///
        /// It is known after an error, too. A request with this `Last-Event-ID` resumes the events.
        public var lastEventID: String { progress.withLock { $0.lastEventID } }

        /// The pause before the next request that the server has set in a `retry` field; `nil` if it has set none.
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

            /// The last identifier that the server has sent. It is known after an error, too.
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

            /// Returns the next event. An event that has arrived is returned without leaving the actor of the caller.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(NetworkError) -> ServerSentEvent? {
                if chunks != nil, let event = try bufferedEvent() { return event }
                return try await next()
            }

            /// Starts to read.
            ///
            /// - Returns: the only event of a response without events.
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

            /// Returns the next complete event of the bytes in memory.
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
    /// The body of JSON as an event; `nil` for an empty body.
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
    /// Returns the events in the body of this response, whatever the method of its request.
    public func events() -> MappedSequence<ResponseStream.Events, Failure> {
        mapping(base.events()) { ResponseStream.Events.failure(in: $0) }
    }

    /// Returns the data of the events in the body of this response, decoded as JSON.
    public func events<Value: Decodable & Sendable>(
        as type: Value.Type
    ) -> MappedSequence<ResponseStream.EventValues<Value>, Failure> {
        mapping(base.events(as: type)) { ResponseStream.Events.failure(in: $0) }
    }
}

extension ResponseStream.Events {
    /// The app's error of an event, if it has the type of the errors of a client.
    fileprivate static func failure<Failure: Error>(in error: any Error) -> Failure? {
        guard let error = error as? NetworkError, error.kind == .invalidResponse else { return nil }
        return error.underlying as? Failure
    }
}
