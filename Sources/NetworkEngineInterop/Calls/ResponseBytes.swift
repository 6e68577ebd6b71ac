import Foundation
import NetworkEngine

/// The bytes of a response, as they arrive.
///
/// ```swift
/// let (bytes, response) = try await client.bytes(for: request)
/// for try await byte in bytes { parser.add(byte) }
/// ```
/// You can read it only once. Breaking out of the loop cancels the exchange. A failure is a `URLError`.
public struct ResponseBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8

    private let stream: ResponseStream
    private let url: URL?

    init(_ stream: ResponseStream, url: URL?) { (self.stream, self.url) = (stream, url) }

    public func makeAsyncIterator() -> Iterator { Iterator(stream.makeAsyncIterator(), url) }

    /// Reads byte by byte from the pieces that have arrived.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        @usableFromInline var piece: [UInt8] = []
        @usableFromInline var position = 0
        private var pieces: ResponseStream.Iterator
        private let url: URL?

        init(_ pieces: ResponseStream.Iterator, _ url: URL?) { (self.pieces, self.url) = (pieces, url) }

        /// Returns the next byte; `nil` after the last one.
        @inlinable
        public mutating func next() async throws -> UInt8? {
            if let byte = arrivedByte() { return byte }
            return try await read()
        }

        /// Returns the next byte. One that has arrived is returned without leaving the caller's actor.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
            if let byte = arrivedByte() { return byte }
            return try await read()
        }

        @inlinable
        mutating func arrivedByte() -> UInt8? {
            guard position < piece.count else { return nil }
            defer { position &+= 1 }
            return piece[position]
        }

        /// Waits for the next piece, and returns its first byte.
        @usableFromInline
        @concurrent
        mutating func read() async throws -> UInt8? {
            do throws(NetworkError) {
                while let next = try await pieces.next() {
                    (piece, position) = (Array(next), 0)
                    if let byte = arrivedByte() { return byte }
                }
                return nil
            } catch {
                throw URLError(error, at: url)
            }
        }
    }
}
