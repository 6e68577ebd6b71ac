import Foundation
import HTTPTypes

/// The part of swift-openapi-runtime between a generated client and its transport.
public protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

public enum IterationBehavior: Sendable { case single, multiple }

/// A request or response body, as a sequence of chunks.
public final class HTTPBody: AsyncSequence, Sendable {
    public typealias ByteChunk = ArraySlice<UInt8>
    public typealias Element = ByteChunk

    public enum Length: Sendable, Equatable { case unknown, known(Int64) }

    public let length: Length
    public let iterationBehavior: IterationBehavior
    private let start: @Sendable () -> AsyncIterator

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let read: () async throws -> ByteChunk?

        fileprivate init<Pieces: AsyncSequence>(_ pieces: Pieces) where Pieces.Element == ByteChunk {
            var iterator = pieces.makeAsyncIterator()
            read = { try await iterator.next() }
        }

        public mutating func next() async throws -> ByteChunk? { try await read() }
    }

    public init<Pieces: AsyncSequence & Sendable>(
        _ sequence: Pieces,
        length: Length,
        iterationBehavior: IterationBehavior
    ) where Pieces.Element == ByteChunk {
        (self.length, self.iterationBehavior) = (length, iterationBehavior)
        start = { AsyncIterator(sequence) }
    }

    public convenience init(_ bytes: Data) {
        let pieces = AsyncStream<ByteChunk> { stream in
            if !bytes.isEmpty { stream.yield(ArraySlice(bytes)) }
            stream.finish()
        }
        self.init(pieces, length: .known(Int64(bytes.count)), iterationBehavior: .single)
    }

    public func makeAsyncIterator() -> AsyncIterator { start() }
}
