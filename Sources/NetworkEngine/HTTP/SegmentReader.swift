import Foundation

extension BodyStream {
    /// Puts a stream together from segments, which are read one after the other while the stream is.
    package init(segments: [Segment]) {
        self.init(segments, reading: { Reading(SegmentReader(segments).next) })
    }
}

/// One reading of a stream's segments, from the first to the last.
private final class SegmentReader: Sendable {
    private struct Position {
        var index = 0
        var file: FileHandle?
        var reading: BodyStream.Reading?

        mutating func advance() {
            index += 1
            file = nil
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

    /// The next piece of the segment; nothing when there is none, and then the next segment is the current one.
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
        case .stream(let stream):
            let reading = position.withLock { $0.reading } ?? stream.reading()
            position.withLock { $0.reading = reading }
            let piece = try await reading.next()
            if piece == nil { position.withLock { $0.advance() } }
            return piece
        }
    }
}
