package import Foundation

/// Splits arriving bytes into lines that end with CR LF, LF or CR. CR and LF can arrive separately.
///
/// A line is a slice of the buffer. Release it before adding bytes, or adding copies the whole buffer.
package struct LineSplitter: Sendable {
    private var bytes: [UInt8] = []
    /// The index where the incomplete line starts.
    private var start = 0
    private var lineFeed = ByteFinder(UInt8(ascii: "\n"))
    private var carriageReturn = ByteFinder(UInt8(ascii: "\r"))
    private var mayStartWithLF = false

    /// Any capacity beyond this is released after a long line.
    private static let maximumSpareCapacity = 1 << 20

    package init() {}

    /// The number of bytes in the incomplete line.
    package var pendingCount: Int { bytes.count - start }

    /// The number of bytes in memory.
    var heldCount: Int { bytes.count }

    /// Whether the incomplete line starts with these bytes.
    package func begins(with prefix: [UInt8]) -> Bool { bytes.dropFirst(start).starts(with: prefix) }

    package mutating func add(_ data: Data) {
        if start > 0 {
            if bytes.capacity > Self.maximumSpareCapacity, pendingCount + data.count < Self.maximumSpareCapacity / 2 {
                bytes = Array(bytes[start...])
            } else {
                bytes.removeSubrange(..<start)
            }
            lineFeed.move(by: start)
            carriageReturn.move(by: start)
            start = 0
        }
        bytes.append(contentsOf: data)
    }

    /// Returns the next complete line.
    package mutating func next() -> ArraySlice<UInt8>? {
        skipLineFeed()
        let feed = lineFeed.index(in: bytes, from: start)
        let end = min(feed, carriageReturn.index(in: bytes, from: start))
        guard end < bytes.count else { return nil }
        let line = bytes[start..<end]
        start = end + 1
        mayStartWithLF = end < feed
        skipLineFeed()
        return line
    }

    /// Returns the incomplete line at the end of the input.
    mutating func takeRest() -> ArraySlice<UInt8>? {
        skipLineFeed()
        defer { self = LineSplitter() }
        return pendingCount == 0 ? nil : bytes[start...]
    }

    /// Skips the line feed of a CR LF.
    private mutating func skipLineFeed() {
        guard mayStartWithLF, start < bytes.count else { return }
        mayStartWithLF = false
        if bytes[start] == UInt8(ascii: "\n") { start += 1 }
    }
}

/// Finds a byte in a growing buffer and examines each byte only once.
private struct ByteFinder: Sendable {
    private let byte: UInt8
    /// The index of the byte if `isFound`; otherwise the number of examined bytes.
    private var found = 0
    private var isFound = false

    init(_ byte: UInt8) { self.byte = byte }

    /// Adjusts the index after bytes were removed from the start of the buffer.
    mutating func move(by count: Int) {
        found -= count
        if found < 0 { (found, isFound) = (0, false) }
    }

    /// Returns the index of the next occurrence, or the number of bytes if there is none.
    mutating func index(in bytes: [UInt8], from start: Int) -> Int {
        if isFound, found >= start { return found }
        let from = max(found, start)
        let distance = bytes.withUnsafeBytes { bytes -> Int? in
            guard from < bytes.count, let base = bytes.baseAddress else { return nil }
            guard let match = memchr(base + from, Int32(byte), bytes.count - from) else { return nil }
            return UnsafeRawPointer(match) - base
        }
        isFound = distance != nil
        found = distance ?? bytes.count
        return found
    }
}
