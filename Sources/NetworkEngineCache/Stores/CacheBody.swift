public import Foundation
public import NetworkEngine

/// The body of a stored response, in memory or in an open file that does not change.
public struct CacheBody: Sendable {
    private enum Source: Sendable {
        case pieces([Data])
        case file(BodyFile, checksum: UInt64)
    }

    /// The number of bytes.
    public let length: Int64
    private let source: Source

    /// Creates a body from pieces in memory.
    public init(_ pieces: [Data]) {
        source = .pieces(pieces)
        length = pieces.reduce(0) { $0 + Int64($1.count) }
    }

    /// - Parameter checksum: of all bytes in the file.
    init(_ file: BodyFile, checksum: UInt64) {
        source = .file(file, checksum: checksum)
        length = file.length
    }

    /// The bytes of a body that is one piece in memory.
    var data: Data? {
        guard case .pieces(let pieces) = source, pieces.count <= 1 else { return nil }
        return pieces.first ?? Data()
    }

    /// Whether a file contains the bytes that were stored. Reads the file.
    ///
    /// Check this before you use the first byte. Bytes in memory were verified when they were read.
    func isIntact() throws -> Bool {
        guard case .file(let file, let expected) = source else { return true }
        var checksum = Checksum()
        var offset: Int64 = 0
        while offset < length {
            let piece = try Self.read(file, from: offset, upTo: length)
            guard !piece.isEmpty else { return false }
            piece.withUnsafeBytes { checksum.update($0) }
            offset += Int64(piece.count)
        }
        return checksum.value == expected
    }

    /// A stream of some of the bytes, in pieces of limited size.
    public func stream(_ range: Range<Int64>) -> BodyStream {
        let range = range.clamped(to: 0..<length)
        switch source {
        case .pieces(let pieces):
            let segments = Self.slices(of: pieces, in: range).map {
                BodyStream.Segment(.data($0), length: Int64($0.count))
            }
            return BodyStream(segments: segments)
        case .file(let file, _):
            return BodyStream(length: Int64(range.count), isReplayable: true) {
                let offset = Locked(range.lowerBound)
                return BodyStream.Reading {
                    let start = offset.withLock { $0 }
                    guard start < range.upperBound else { return nil }
                    let piece = try Self.read(file, from: start, upTo: range.upperBound)
                    guard !piece.isEmpty else { throw BodyFile.ShorterThanAnnounced() }
                    offset.withLock { $0 = start + Int64(piece.count) }
                    return piece
                }
            }
        }
    }

    /// Copies some of the bytes into one piece.
    func bytes(_ range: Range<Int64>) throws -> Data {
        let range = range.clamped(to: 0..<length)
        switch source {
        case .pieces(let pieces):
            let slices = Self.slices(of: pieces, in: range)
            // A slice keeps its indices, which the response's callers don't expect.
            if slices.count == 1, slices[0].startIndex == 0 { return slices[0] }
            return slices.reduce(into: Data()) { $0 += $1 }
        case .file(let file, _):
            var data = Data(count: range.count)
            try data.withUnsafeMutableBytes { try file.fill($0, at: range.lowerBound) }
            return data
        }
    }

    /// Some of the bytes, after verifying all of them.
    func intactBytes(_ range: Range<Int64>) throws -> Data {
        guard case .file(_, let expected) = source, range == 0..<length else {
            guard try isIntact() else { throw BodyFile.ShorterThanAnnounced() }
            return try bytes(range)
        }
        let data = try bytes(range)
        var checksum = Checksum()
        data.withUnsafeBytes { checksum.update($0) }
        guard checksum.value == expected else { throw BodyFile.ShorterThanAnnounced() }
        return data
    }

    private static let pieceLength: Int64 = 64 << 10

    private static func read(_ file: BodyFile, from offset: Int64, upTo end: Int64) throws -> Data {
        var piece = Data(count: Int(min(pieceLength, end - offset)))
        let count = try piece.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
        return piece.prefix(count)
    }

    /// The parts of the pieces in a range, without copying their bytes.
    private static func slices(of pieces: [Data], in range: Range<Int64>) -> [Data] {
        var start: Int64 = 0
        return pieces.compactMap { piece in
            let own = start..<(start + Int64(piece.count))
            start = own.upperBound
            let part = own.clamped(to: range)
            guard !part.isEmpty else { return nil }
            return piece.dropFirst(Int(part.lowerBound - own.lowerBound)).prefix(part.count)
        }
    }
}
