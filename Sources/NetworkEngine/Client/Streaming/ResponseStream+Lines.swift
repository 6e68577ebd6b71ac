public import Foundation
import NetworkEngineJSON

extension ResponseStream {
    /// Returns the body as lines without line endings.
    ///
    /// - Parameter limit: the maximum number of bytes per line. A longer line ends the stream with `.limit`.
    public func lines(limit: Int = 1 << 20) -> Lines { Lines(stream: self, limit: limit) }

    /// Returns the body as JSON documents, one per line. Skips blank lines.
    ///
    /// A line that cannot be decoded throws a `.decoding` error with that line as the body of its `response`.
    ///
    /// - Parameter decoder: decodes each line; by default the configured decoder with the target's
    ///   `keyDecodingStrategy`. Its settings must not change while lines are read.
    public func jsonLines<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1 << 20
    ) -> JSONLines<Value> {
        JSONLines(
            lines: lines(limit: limit),
            decoder: decoder.map { BodyDecoder($0) } ?? self.decoder ?? BodyDecoder(JSONDecoder()))
    }

    /// A body read line by line.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let stream: ResponseStream
        fileprivate let limit: Int

        public func makeAsyncIterator() -> Iterator {
            Iterator(chunks: stream.makeAsyncIterator(), response: stream.response, limit: limit)
        }

        /// Reads the lines. Releasing the iterator cancels the request.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            /// `nil` after a line that exceeds the limit.
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

            /// Returns the next line; `nil` after the last one. The last line doesn't need a line ending.
            @concurrent
            public mutating func next() async throws(NetworkError) -> String? {
                try await nextBytes().map { String(decoding: $0, as: UTF8.self) }
            }

            /// Returns the next line. A line that has already arrived is returned without leaving the caller's actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> String? {
                if let line = try bufferedLine() { return String(decoding: line, as: UTF8.self) }
                return try await next()
            }

            @concurrent
            fileprivate mutating func nextBytes() async throws(NetworkError) -> ArraySlice<UInt8>? {
                if let line = try bufferedLine() { return line }
                return try await readLine()
            }

            /// Returns the next complete line of the bytes in memory.
            fileprivate mutating func bufferedLine() throws(NetworkError) -> ArraySlice<UInt8>? {
                if !isBeyondLimit {
                    let line = splitter.next()
                    if line?.count ?? splitter.pendingCount <= limit { return line }
                    isBeyondLimit = true
                    chunks = nil
                }
                let reason = "a line of the stream is longer than \(limit) bytes"
                throw NetworkError(kind: .limit, reason: reason, request: response.request)
            }

            /// Reads chunks until a line is complete or the body ends.
            @concurrent
            private mutating func readLine() async throws(NetworkError) -> ArraySlice<UInt8>? {
                while let chunk = try await chunks?.next() {
                    splitter.add(chunk)
                    if let line = try bufferedLine() { return line }
                }
                return splitter.takeRest()
            }
        }
    }

    /// A body of JSON documents, one per line.
    public struct JSONLines<Value: Decodable>: AsyncSequence {
        fileprivate let lines: Lines
        fileprivate let decoder: BodyDecoder

        public func makeAsyncIterator() -> Iterator { Iterator(lines.makeAsyncIterator(), decoder) }

        /// Decodes line by line. Releasing the iterator cancels the request.
        public struct Iterator: AsyncIteratorProtocol {
            private var lines: Lines.Iterator
            private let decoder: BodyDecoder
            private var series: JSONSeries

            fileprivate init(_ lines: Lines.Iterator, _ decoder: BodyDecoder) {
                self.lines = lines
                self.decoder = decoder
                series = decoder.series
            }

            /// Returns the next document. After a `.decoding` error, the iterator continues with the next line.
            @concurrent
            public mutating func next() async throws(NetworkError) -> Value? {
                while let line = try await lines.nextBytes() {
                    if !line.isBlank { return try decode(line) }
                }
                return nil
            }

            /// Returns the next document. A short one that has already arrived is decoded without leaving the caller's
            /// actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Value? {
                while true {
                    var line = try lines.bufferedLine()
                    if line == nil { line = try await lines.nextBytes() }
                    guard let line else { return nil }
                    if line.isBlank { continue }
                    if line.count <= 4 << 10 { return try decode(line) }
                    return try await Self.decode(Data(line), decoder, of: lines.response).withLock { $0 }
                }
            }

            /// Decodes a line and returns the value in a box that can carry any value to another actor.
            @concurrent
            private static func decode(
                _ line: Data, _ decoder: BodyDecoder, of response: HTTPResponse
            ) async throws(NetworkError) -> Locked<Value> {
                do {
                    return Locked(try decoder.decode(Value.self, from: line))
                } catch {
                    throw .decoding(error, ofLine: line, in: response)
                }
            }

            private mutating func decode(_ line: ArraySlice<UInt8>) throws(NetworkError) -> Value {
                // A copy: with library evolution the layout is opaque, and all of this value would be accessed twice.
                let decoder = decoder
                do {
                    return try series.decode(Value.self, from: line) { try decoder.decode(Value.self, from: $0) }
                } catch {
                    throw .decoding(error, ofLine: Data(line), in: lines.response)
                }
            }
        }
    }
}

extension NetworkError {
    /// Wraps a line's decoding error. The body of its response is that line, because a stream's body is empty.
    fileprivate static func decoding(_ error: any Error, ofLine line: Data, in response: HTTPResponse) -> NetworkError {
        var response = response
        response.body = .data(line)
        return .decoding(error, of: response)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isBlank: Bool { allSatisfy(\.isBlank) }
}

extension ResponseStream.JSONLines: Sendable where Value: SendableMetatype {}
