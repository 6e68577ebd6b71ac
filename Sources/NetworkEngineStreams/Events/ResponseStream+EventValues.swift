import Foundation
public import NetworkEngine

extension ResponseStream {
    /// Returns the data of the events in this response's body, decoded as JSON.
    ///
    /// Data that cannot be decoded throws a `.decoding` error, with the data as its `response` body. The same iterator
    /// then continues with the next event. An event without data is skipped, unless the type has a value for an absent
    /// body.
    public func events<Value: Decodable & Sendable>(as type: Value.Type) -> EventValues<Value> {
        EventValues(events: events())
    }

    /// The decoded data of one response's events.
    public struct EventValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        /// The underlying events and their options.
        public var events: Events
        /// The name of the events to decode; all events unless set. Other events are skipped.
        public var name: String?

        fileprivate init(events: Events) { self.events = events }

        /// The last identifier that the server sent; empty if there was none. It is also available after an error.
        public var lastEventID: String { events.lastEventID }

        /// The delay before the next request, from the server's `retry` field; `nil` if the server did not set one.
        public var retryDelay: Duration? { events.retryDelay }

        public func makeAsyncIterator() -> Iterator {
            Iterator(
                events: events.makeAsyncIterator(), name: name, decoder: EventDecoder(events.stream.decoder))
        }

        /// Reads and decodes the events. Releasing the iterator closes the connection.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate var events: Events.Iterator
            fileprivate let name: String?
            fileprivate let decoder: EventDecoder<Value>

            /// The last identifier that the server sent. It is also available after an error.
            public var lastEventID: String { events.lastEventID }

            /// Returns the next value; `nil` after the last one.
            @concurrent
            public mutating func next() async throws(NetworkError) -> Value? {
                while let event = try await events.next() {
                    if hasValue(event) { return try decoder.decode(event, of: events.response) }
                }
                return nil
            }

            /// Returns the next value. A short one that has arrived is decoded without leaving the caller's actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Value? {
                while let event = try await events.next(isolation: actor) {
                    guard hasValue(event) else { continue }
                    if event.data.utf8.count <= EventDecoder<Value>.shortLength {
                        return try decoder.decode(event, of: events.response)
                    }
                    return try await decoder.decodeElsewhere(event, of: events.response)
                }
                return nil
            }

            private func hasValue(_ event: ServerSentEvent) -> Bool {
                (name == nil || event.name == name) && decoder.mayDecode(event)
            }
        }
    }
}
