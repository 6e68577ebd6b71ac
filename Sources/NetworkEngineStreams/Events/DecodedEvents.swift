import Foundation
public import NetworkEngine

/// The decoded data of each event that a server sends.
///
/// ```swift
/// for try await price in provider.events(.prices, as: Price.self) { show(price) }
/// ```
/// The data is JSON, decoded with the configuration's decoder and the target's `keyDecodingStrategy`. Data that cannot
/// be decoded throws a `.decoding` error; the body of its `response` is that data. The same iterator then continues
/// with the next event.
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

        /// Returns the next value; `nil` after the server answered with status 204.
        @concurrent
        public mutating func next() async throws(NetworkError) -> Value? {
            while let event = try await events.next() {
                if let name, event.name != name { continue }
                guard var response = events.response else { return nil }
                response.body = .data(Data(event.data.utf8))
                return try ObservedCall.decoding(in: events.session.call) { () throws(NetworkError) in
                    try response.json(Value.self, by: events.decoder ?? BodyDecoder(JSONDecoder()))
                }
            }
            return nil
        }
    }
}
