package import Foundation

/// The unread bytes of a stream: the oldest in memory, later ones in a file.
///
/// A pure value. It decides where bytes are stored and where the next ones are; its owner moves them.
package struct Backlog: Sendable {
    /// Where new bytes are stored.
    package enum Place: Hashable, Sendable {
        case memory
        /// This number of bytes at this offset of the file and the rest at its start. Call `spilled(_:)` after writing
        /// them.
        case file(offset: Int64, count: Int)
        /// Not stored, because the reader is too far behind.
        case none
    }

    /// Where the next bytes for the reader are.
    package enum Supply: Hashable, Sendable {
        case bytes(Data)
        /// In the file. Call `unspilled(_:)` after reading them.
        case file(offset: Int64, count: Int)
        case nothing
    }

    /// Pieces are joined up to this size.
    private static let pieceLimit = 128 << 10

    private let memoryLimit: Int
    private let fileLimit: Int64
    private var chunks: [Data] = []
    private var firstChunk = 0
    /// Bytes in memory.
    package private(set) var bytesInMemory = 0
    /// The range of the stream that is in the file. The file is a ring buffer.
    private var fileStart: Int64 = 0
    private var fileEnd: Int64 = 0
    private var isSpilling = false

    /// - Parameters:
    ///   - memoryLimit: the number of bytes in memory at which new bytes go to the file.
    ///   - fileLimit: the number of bytes that may wait in the file.
    package init(memoryLimit: Int, fileLimit: Int64) {
        self.memoryLimit = memoryLimit
        self.fileLimit = fileLimit
    }

    var isEmpty: Bool { bytesInMemory == 0 && fileStart == fileEnd }

    /// Bytes in memory and in the file.
    var count: Int64 { Int64(bytesInMemory) + fileEnd - fileStart }

    /// Adds bytes, or returns where to store them.
    package mutating func add(_ data: Data) -> Place {
        if data.isEmpty { return .memory }
        let waitsInFile = fileEnd - fileStart
        if waitsInFile == 0, !isSpilling, bytesInMemory == 0 || bytesInMemory + data.count <= memoryLimit {
            keep(data)
            return .memory
        }
        guard waitsInFile + Int64(data.count) <= fileLimit else { return .none }
        isSpilling = true
        let offset = fileEnd % fileLimit
        return .file(offset: offset, count: Int(min(Int64(data.count), fileLimit - offset)))
    }

    /// Joins small pieces, so that a reader that is behind takes them in one step.
    private mutating func keep(_ data: Data) {
        bytesInMemory += data.count
        if firstChunk < chunks.count, let last = chunks.indices.last, chunks[last].count + data.count <= Self.pieceLimit
        {
            chunks[last].append(data)
        } else {
            chunks.append(data)
        }
    }

    /// Records that bytes were written to the file.
    mutating func spilled(_ count: Int) {
        isSpilling = false
        fileEnd += Int64(count)
    }

    /// Returns the next bytes for the reader.
    package mutating func take(atMost limit: Int) -> Supply {
        if firstChunk < chunks.count {
            let chunk = chunks[firstChunk]
            firstChunk += 1
            bytesInMemory -= chunk.count
            if firstChunk == chunks.count {
                chunks.removeAll(keepingCapacity: true)
                firstChunk = 0
            } else {
                chunks[firstChunk - 1] = Data()
                if firstChunk >= 64, firstChunk * 2 >= chunks.count {
                    chunks.removeFirst(firstChunk)
                    firstChunk = 0
                }
            }
            return .bytes(chunk)
        }
        guard fileStart < fileEnd else { return .nothing }
        let offset = fileStart % fileLimit
        return .file(offset: offset, count: Int(min(fileEnd - fileStart, fileLimit - offset, Int64(limit))))
    }

    /// Records that bytes were read from the file. When none are left, the file restarts at its beginning to remain
    /// small.
    mutating func unspilled(_ count: Int) {
        fileStart += Int64(count)
        guard fileStart == fileEnd, !isSpilling else { return }
        fileStart = 0
        fileEnd = 0
    }
}
