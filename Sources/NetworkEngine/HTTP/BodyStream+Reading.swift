public import Foundation

extension BodyStream {
    /// Iterates over a stream's pieces.
    ///
    /// The iterator owns its reading, which ends with the iterator even if the stream is still in scope.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reading: Reading

        init(reading: Reading) { self.reading = reading }

        /// The next piece; `nil` at the end. Throws `CancellationError` if the task is canceled.
        @concurrent
        public mutating func next() async throws -> Data? { try await reading.next() }
    }

    /// One reading of a stream, which any task can continue.
    package struct Reading: Sendable {
        package typealias Read = @Sendable () async throws -> Data?

        private struct State {
            /// `nil` after a task that requested a piece was canceled.
            var read: Read?
        }

        private let state: Locked<State>

        /// - Parameter read: returns the next piece. It owns the source of the pieces and is released on cancellation.
        package init(_ read: @escaping Read) {
            state = Locked(State(read: read))
        }

        /// Reads the caller's sequence.
        init(of pieces: AsyncThrowingStream<Data, any Error>) {
            self.init {
                var iterator = pieces.makeAsyncIterator()
                return try await iterator.next()
            }
        }

        /// The next piece; `nil` at the end.
        @concurrent
        package func next() async throws -> Data? {
            if Task.isCancelled { cancel() }
            guard let read = state.withLock({ $0 }).read else { throw CancellationError() }
            if let piece = try await read() { return piece }
            // A sequence may end without an error when its task is canceled.
            guard Task.isCancelled else { return nil }
            cancel()
            throw CancellationError()
        }

        private func cancel() {
            // The result leaves the lock, so that the source is released outside it.
            _ = state.withLock { state in
                defer { state.read = nil }
                return state
            }
        }
    }
}

extension BodyStream {
    /// Creates a stream from a sequence, which produces each piece after the previous one was consumed.
    ///
    /// ```swift
    /// let body = BodyStream(recording.chunks, length: recording.byteCount)
    /// ```
    /// - Parameter isReplayable: whether each iteration of the sequence yields the same pieces.
    public init<Pieces: AsyncSequence & Sendable>(
        _ pieces: Pieces,
        length: Int64? = nil,
        isReplayable: Bool = false
    ) where Pieces.Element == Data {
        self.init(length: length, isReplayable: isReplayable, reading: { Reading(Pump(pieces).next) })
    }
}

/// Iterates over a sequence in a separate task, which ends with the reading.
private final class Pump: Sendable {
    private let handoff: Handoff<Data>
    private let work: Task<Void, Never>

    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == Data {
        let handoff = Handoff<Data>()
        self.handoff = handoff
        work = Task {
            do {
                for try await piece in pieces where await !handoff.give(piece) { return }
                // A sequence that ends because of cancellation is not complete.
                try Task.checkCancellation()
                handoff.finish(.success(()))
            } catch {
                handoff.finish(.failure(error))
            }
        }
    }

    deinit { work.cancel() }

    func next() async throws -> Data? { try await handoff.take() }
}

extension BodyStream {
    /// Creates a stream from segments, and reads each one when the stream reaches it.
    package init(segments: [Segment]) {
        self.init(segments, reading: { Reading(SegmentReader(segments).next) })
    }
}

/// One reading of a stream's segments, in order.
private final class SegmentReader: Sendable {
    private struct Position {
        var index = 0
        var file: FileHandle?
        /// How much of a source has been read.
        var offset: Int64 = 0
        var reading: BodyStream.Reading?

        mutating func advance() {
            index += 1
            file = nil
            offset = 0
            reading = nil
        }
    }

    private static let pieceLength = 64 << 10
    private let segments: [BodyStream.Segment]
    private let position = Locked(Position())

    init(_ segments: [BodyStream.Segment]) { self.segments = segments }

    func next() async throws -> Data? {
        while let segment = position.withLock({ segments.dropFirst($0.index).first }) {
            if let piece = try await piece(of: segment.content), !piece.isEmpty { return piece }
        }
        return nil
    }

    /// The segment's next piece; `nil` at its end, after advancing to the next segment.
    private func piece(of content: BodyStream.Segment.Content) async throws -> Data? {
        switch content {
        case .data(let data):
            position.withLock { $0.advance() }
            return data
        case .file(let url):
            let file = try position.withLock { $0.file } ?? FileHandle(forReadingFrom: url)
            let piece = try file.read(upToCount: Self.pieceLength) ?? Data()
            position.withLock { if piece.isEmpty { $0.advance() } else { $0.file = file } }
            return piece
        case .source(let source):
            let offset = position.withLock { $0.offset }
            let piece = try source.piece(at: offset, upTo: Self.pieceLength)
            position.withLock { if piece.isEmpty { $0.advance() } else { $0.offset += Int64(piece.count) } }
            return piece
        case .stream(let stream):
            let reading = position.withLock { $0.reading } ?? stream.reading()
            position.withLock { $0.reading = reading }
            let piece = try await reading.next()
            if piece == nil { position.withLock { $0.advance() } }
            return piece
        }
    }
}

extension BodySource {
    /// Reads bytes at an offset; none at the end.
    fileprivate func piece(at offset: Int64, upTo count: Int) throws -> Data {
        let count = Int(min(Int64(count), length - offset))
        guard count > 0 else { return Data() }
        var piece = Data(count: count)
        let read = try piece.withUnsafeMutableBytes { try self.read(into: $0, at: offset) }
        return piece.prefix(read)
    }
}
