import Foundation
public import NetworkEngine

/// The decoded data of each event from a server.
///
/// ```swift
/// for try await price in provider.events(.prices, as: Price.self) { show(price) }
/// ```
/// The data is JSON, decoded with the configuration's decoder and the target's `keyDecodingStrategy`. Data that cannot
/// be decoded throws a `.decoding` error, with the data as its `response` body. The same iterator then continues with
/// the next event. An event without data is skipped, unless the type has a value for an absent body.
public struct DecodedEvents<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The underlying events and their options.
    public var events: ServerSentEvents
    /// The name of the events to decode; all events unless set. Other events are skipped.
    public var name: String?

    init(_ events: ServerSentEvents) { self.events = events }

    public func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), name: name)
    }

    /// Connects when the first value is requested. Releasing the iterator closes the connection.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: ServerSentEvents.Iterator
        fileprivate let name: String?
        /// The call's decoder, from the first event on.
        private var decoder: EventDecoder<Value>?

        fileprivate init(events: ServerSentEvents.Iterator, name: String?) { (self.events, self.name) = (events, name) }

        /// Returns the next value; `nil` after the server responded with status 204.
        @concurrent
        public mutating func next() async throws(NetworkError) -> Value? {
            while let event = try await events.next() {
                guard let (decoder, response) = wanted(event) else { continue }
                return try ObservedCall.decoding(in: events.session.call) { () throws(NetworkError) in
                    try decoder.decode(event, of: response)
                }
            }
            return nil
        }

        /// Returns the next value. A short one that has arrived is decoded without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Value? {
            while let event = try await events.next(isolation: actor) {
                guard let (decoder, response) = wanted(event) else { continue }
                guard event.data.utf8.count <= EventDecoder<Value>.shortLength else {
                    return try await Self.decodeElsewhere(event, of: response, by: decoder, in: events.session.call)
                }
                return try ObservedCall.decoding(in: events.session.call) { () throws(NetworkError) in
                    try decoder.decode(event, of: response)
                }
            }
            return nil
        }

        @concurrent
        private static func decodeElsewhere(
            _ event: ServerSentEvent, of response: HTTPResponse, by decoder: EventDecoder<Value>, in call: ObservedCall?
        ) async throws(NetworkError) -> Value {
            try ObservedCall.decoding(in: call) { () throws(NetworkError) in try decoder.decode(event, of: response) }
        }

        /// The decoder and response for an event; `nil` for an event without a value.
        private mutating func wanted(_ event: ServerSentEvent) -> (EventDecoder<Value>, HTTPResponse)? {
            guard name == nil || event.name == name, let response = events.response else { return nil }
            let decoder = decoder ?? EventDecoder(events.decoder)
            self.decoder = decoder
            return decoder.mayDecode(event) ? (decoder, response) : nil
        }
    }
}
