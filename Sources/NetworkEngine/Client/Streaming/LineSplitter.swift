package import Foundation

/// Cuts bytes into lines as they come; CR LF, LF and CR end one, also where the pair comes in two pieces.
///
/// A line is a slice of the bytes in memory. Drop it before bytes are added, which would copy them all otherwise.
package struct LineSplitter: Sendable {
    private var bytes: [UInt8] = []
    /// Where the line that has not ended begins.
    private var start = 0
    private var lineFeed = ByteFinder(UInt8(ascii: "\n"))
    private var carriageReturn = ByteFinder(UInt8(ascii: "\r"))
    private var mayStartWithLF = false

    /// Room beyond this is given back after a long line.
    private static let largestSpareRoom = 1 << 20

    package init() {}

    /// The bytes of the line that has not ended yet.
    package var pendingCount: Int { bytes.count - start }

    /// The bytes in memory.
    package var heldCount: Int { bytes.count }

    /// Whether the line that has not ended yet begins with these bytes.
    package func begins(with prefix: [UInt8]) -> Bool { bytes.dropFirst(start).starts(with: prefix) }

    package mutating func add(_ data: Data) {
        if start > 0 {
            if bytes.capacity > Self.largestSpareRoom, pendingCount + data.count < Self.largestSpareRoom / 2 {
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

    /// The next line that has ended.
    package mutating func next() -> ArraySlice<UInt8>? {
        skipLineFeed()
        let feed = lineFeed.position(in: bytes, from: start)
        let end = min(feed, carriageReturn.position(in: bytes, from: start))
        guard end < bytes.count else { return nil }
        let line = bytes[start..<end]
        start = end + 1
        mayStartWithLF = end < feed
        skipLineFeed()
        return line
    }

    /// What is left when nothing follows.
    package mutating func takeRest() -> ArraySlice<UInt8>? {
        skipLineFeed()
        defer { self = LineSplitter() }
        return pendingCount == 0 ? nil : bytes[start...]
    }

    /// Passes over the second half of a CR LF.
    private mutating func skipLineFeed() {
        guard mayStartWithLF, start < bytes.count else { return }
        mayStartWithLF = false
        if bytes[start] == UInt8(ascii: "\n") { start += 1 }
    }
}

/// Finds one byte in others that grow, and looks at each of them once.
private struct ByteFinder: Sendable {
    private let byte: UInt8
    /// Where the byte is, or up to where it is not.
    private var found = 0
    private var isFound = false

    init(_ byte: UInt8) { self.byte = byte }

    /// The bytes before this were removed.
    mutating func move(by count: Int) {
        found -= count
        if found < 0 { (found, isFound) = (0, false) }
    }

    /// Where the byte is next; the number of bytes when it is not there.
    mutating func position(in bytes: [UInt8], from start: Int) -> Int {
        if isFound, found >= start { return found }
        let from = max(found, start)
        let distance = bytes.withUnsafeBytes { bytes -> Int? in
            guard from < bytes.count, let base = bytes.baseAddress else { return nil }
            guard let place = memchr(base + from, Int32(byte), bytes.count - from) else { return nil }
            return UnsafeRawPointer(place) - base
        }
        isFound = distance != nil
        found = distance ?? bytes.count
        return found
    }
}
