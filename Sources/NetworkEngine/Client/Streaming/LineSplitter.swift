package import Foundation

/// Cuts bytes into lines as they come; CR LF, LF and CR end one, also where the pair comes in two pieces.
package struct LineSplitter: Sendable {
    private var bytes = Data()
    /// Where the line that has not ended begins.
    private var start = 0
    /// Up to where no end was found.
    private var searched = 0
    private var mayStartWithLF = false

    package init() {}

    /// The bytes of the line that has not ended yet.
    package var pendingCount: Int { bytes.count - start }

    /// The bytes in memory.
    package var heldCount: Int { bytes.count }

    /// Whether the line that has not ended yet begins with these bytes.
    package func begins(with prefix: [UInt8]) -> Bool { bytes.dropFirst(start).starts(with: prefix) }

    package mutating func add(_ data: Data) {
        // A slice would keep the bytes before it in memory, and the bytes added behind it too.
        if start > 0 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(data)
    }

    /// The next line that has ended.
    package mutating func next() -> Data? {
        if mayStartWithLF, start < bytes.count {
            mayStartWithLF = false
            if bytes[start] == UInt8(ascii: "\n") { start += 1 }
        }
        searched = max(searched, start)
        guard let end = bytes[searched...].firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        else {
            searched = bytes.count
            return nil
        }
        let line = Data(bytes[start..<end])
        mayStartWithLF = bytes[end] == UInt8(ascii: "\r")
        start = end + 1
        searched = start
        return line
    }

    /// What is left when nothing follows.
    package mutating func takeRest() -> Data? {
        defer { self = LineSplitter() }
        if mayStartWithLF, bytes.dropFirst(start).first == UInt8(ascii: "\n") { start += 1 }
        return pendingCount == 0 ? nil : Data(bytes[start...])
    }
}
