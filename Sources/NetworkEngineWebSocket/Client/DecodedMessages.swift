public import Foundation
public import NetworkEngine

extension WebSocket {
    /// Sends a value as JSON in a text message.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    @concurrent
    public func send(
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(NetworkError) {
        let data: Data
        do throws(NetworkError) {
            data = try JSONBody.data(encoding: value, with: encoder ?? self.encoder)
        } catch {
            throw error.completed(request: response.request)
        }
        try await send(.text(String(decoding: data, as: UTF8.self)))
    }

    /// The server's messages, decoded as JSON.
    ///
    /// ```swift
    /// for try await move in socket.messages(as: Move.self) { show(move) }
    /// ```
    public func messages<Value: Decodable & Sendable>(as type: Value.Type) -> DecodedMessages<Value> {
        DecodedMessages(socket: self)
    }
}

/// The messages of a WebSocket, decoded as JSON.
///
/// Text and binary messages are decoded with the configuration's decoder and the target's `keyDecodingStrategy`. A
/// message that cannot be decoded throws a `.decoding` error, with the message as its `response` body. The same
/// iterator then continues with the next message.
public struct DecodedMessages<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    fileprivate let socket: WebSocket

    public func makeAsyncIterator() -> Iterator {
        Iterator(messages: socket.messages.makeAsyncIterator(), socket: socket)
    }

    /// Reads the messages one by one.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate var messages: WebSocket.Messages.Iterator
        fileprivate let socket: WebSocket

        /// Returns the next value; `nil` after a normal end.
        @concurrent
        public mutating func next() async throws(NetworkError) -> Value? {
            guard let message = try await messages.next() else { return nil }
            var response = socket.response
            response.body = .data(message.data)
            return try response.json(Value.self, by: socket.decoder)
        }
    }
}
