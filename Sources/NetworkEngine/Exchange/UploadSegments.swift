import Foundation

/// A body that consists of segments in memory and in files, readable at any offset without a copy of the whole.
///
/// A file is opened when it is read, so that a form with ten thousand files needs no more descriptors than a form with
/// two.
package final class UploadSegments: BodySource {
    /// A segment of known length.
    enum Stretch: Sendable {
        case data(Data)
        /// A file of the caller, with its length when it was inspected.
        case named(URL, length: Int64, label: String)
        /// A temporary file without a name, or one that is removed at the end.
        case opened(BodyFile)
        case source(any BodySource)

        var length: Int64 {
            switch self {
            case .data(let data): Int64(data.count)
            case .named(_, let length, _): length
            case .opened(let file): file.length
            case .source(let source): source.length
            }
        }
    }

    private let stretches: [Stretch]
    /// Where each stretch ends.
    private let ends: [Int64]
    private let current = Locked<(index: Int, file: BodyFile)?>(nil)

    init(_ stretches: [Stretch]) {
        self.stretches = stretches.filter { $0.length > 0 }
        var end: Int64 = 0
        ends = self.stretches.map { stretch in
            // Sparse files can together be longer than any file.
            let (next, overflows) = end.addingReportingOverflow(stretch.length)
            end = overflows ? .max : next
            return end
        }
    }

    package var length: Int64 { ends.last ?? 0 }

    /// Copies bytes starting at an offset; at least one, except at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        var index = firstStretch(endingAfter: offset)
        var copied = 0
        while copied < buffer.count, index < stretches.count {
            let stretch = stretches[index]
            let inside = offset + Int64(copied) - (ends[index] - stretch.length)
            let room = min(Int64(buffer.count - copied), stretch.length - inside)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<copied + Int(room)])
            let count = try read(stretch, index, into: part, at: inside)
            copied += count
            // A source may return fewer bytes than requested.
            if count < part.count { break }
            index += 1
        }
        return copied
    }

    private func read(
        _ stretch: Stretch,
        _ index: Int,
        into part: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws -> Int {
        switch stretch {
        case .data(let data):
            let start = data.startIndex + Int(offset)
            data.copyBytes(to: part, from: start..<start + part.count)
        case .opened(let file): try file.fill(part, at: offset)
        case .source(let source): return try source.read(into: part, at: offset)
        case .named(let url, let length, let label):
            do {
                try file(at: url, index, length).fill(part, at: offset)
            } catch {
                throw UnreadablePart(label: label, path: url.path, cause: error)
            }
        }
        return part.count
    }

    /// A segment's file, kept open until another one is read.
    private func file(at url: URL, _ index: Int, _ length: Int64) throws -> BodyFile {
        if let known = current.withLock({ $0 }), known.index == index { return known.file }
        let file = try BodyFile.reading(url)
        guard file.length >= length else { throw BodyFile.ShorterThanAnnounced() }
        current.withLock { $0 = (index, file) }
        return file
    }

    private func firstStretch(endingAfter offset: Int64) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// A part's file disappeared or became shorter after it was inspected.
    struct UnreadablePart: Error, CustomStringConvertible {
        let label: String
        let path: String
        let cause: any Error

        var description: String { "\(label): the file \(path) cannot be read to the end: \(cause)" }
    }
}
