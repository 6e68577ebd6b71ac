public import Foundation

extension ResponseStream {
    /// The body line by line, without the ends of lines.
    ///
    /// - Parameter limit: the bytes a line may have; a longer one ends the stream with `.limit`.
    public func lines(limit: Int = 1 << 20) -> Lines { Lines(stream: self, limit: limit) }

    /// The body as one JSON document a line; lines without content are passed over.
    ///
    /// - Parameter decoder: the configured decoder with the target's `keyDecodingStrategy`, unless another one is given.
    public func jsonLines<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1 << 20
    ) -> JSONLines<Value> {
        JSONLines(lines: lines(limit: limit), decoder: decoder.map { BodyDecoder($0) } ?? BodyDecoder(decoding))
    }

    /// A body read line by line.
    public struct Lines: AsyncSequence, Sendable {
        public typealias Element = String

        fileprivate let stream: ResponseStream
        fileprivate let limit: Int

        public func makeAsyncIterator() -> Iterator {
            Iterator(chunks: stream.makeAsyncIterator(), response: stream.response, limit: limit)
        }

        /// Dropping the iterator ends the exchange.
        public struct Iterator: AsyncIteratorProtocol {
            /// `nil` when nothing more is read.
            private var chunks: ResponseStream.Iterator?
            fileprivate let response: HTTPResponse
            private let limit: Int
            private var splitter = LineSplitter()
            private var isBeyondLimit = false

            fileprivate init(chunks: ResponseStream.Iterator, response: HTTPResponse, limit: Int) {
                self.chunks = chunks
                self.response = response
                self.limit = limit
            }

            /// The next line; `nil` after the last one, which may have no end.
            @concurrent
            public mutating func next() async throws(NetworkError) -> String? {
                if let line = try takeLine() { return String(decoding: line, as: UTF8.self) }
                return try await nextOfChunks().map { String(decoding: $0, as: UTF8.self) }
            }

            @concurrent
            fileprivate mutating func nextBytes() async throws(NetworkError) -> ArraySlice<UInt8>? {
                if let line = try takeLine() { return line }
                return try await nextOfChunks()
            }

            /// A line that has come.
            private mutating func takeLine() throws(NetworkError) -> ArraySlice<UInt8>? {
                if !isBeyondLimit {
                    let line = splitter.next()
                    if line?.count ?? splitter.pendingCount <= limit { return line }
                    isBeyondLimit = true
                    chunks = nil
                }
                let reason = "a line of the stream is longer than \(limit) bytes"
                throw NetworkError(kind: .limit, reason: reason, request: response.request)
            }

            /// Reads until there is a line, or nothing more.
            @concurrent
            private mutating func nextOfChunks() async throws(NetworkError) -> ArraySlice<UInt8>? {
                while let chunk = try await chunks?.next() {
                    splitter.add(chunk)
                    if let line = try takeLine() { return line }
                }
                return splitter.takeRest()
            }
        }
    }

    /// A body of JSON documents, one a line.
    public struct JSONLines<Value: Decodable>: AsyncSequence {
        public typealias Element = Value

        fileprivate let lines: Lines
        fileprivate let decoder: BodyDecoder

        public func makeAsyncIterator() -> Iterator { Iterator(lines: lines.makeAsyncIterator(), decoder: decoder) }

        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var lines: Lines.Iterator
            fileprivate let decoder: BodyDecoder

            /// The next document; one that cannot be decoded is thrown as `.decoding`, and those after it can be read.
            @concurrent
            public mutating func next() async throws(NetworkError) -> Value? {
                while let line = try await lines.nextBytes() {
                    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
                    do {
                        return try decoder.decode(Value.self, from: Data(line))
                    } catch {
                        throw .decoding(error, of: lines.response)
                    }
                }
                return nil
            }
        }
    }
}

extension ResponseStream.JSONLines: Sendable where Value: SendableMetatype {}
