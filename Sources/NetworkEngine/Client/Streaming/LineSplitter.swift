package import Foundation

/// Cuts bytes into lines as they come; CR LF, LF and CR end one, also where the pair comes in two pieces.
package struct LineSplitter: Sendable {
    private var rest = Data()
    /// Bytes of `rest` in which no end was found.
    private var searched = 0
    private var mayStartWithLF = false

    package init() {}

    /// The bytes of the line that has not ended yet.
    package var pendingCount: Int { rest.count }

    package mutating func add(_ data: Data) {
        rest.append(data)
    }

    /// The next line that has ended.
    package mutating func next() -> Data? {
        if mayStartWithLF, let first = rest.first {
            mayStartWithLF = false
            if first == UInt8(ascii: "\n") { rest = Data(rest.dropFirst()) }
        }
        let start = rest.startIndex + searched
        guard let end = rest[start...].firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        else {
            searched = rest.count
            return nil
        }
        let line = Data(rest[..<end])
        let isCR = rest[end] == UInt8(ascii: "\r")
        rest = rest[rest.index(after: end)...]
        searched = 0
        mayStartWithLF = isCR
        return line
    }

    /// What is left when nothing follows.
    package mutating func takeRest() -> Data? {
        defer { self = LineSplitter() }
        if mayStartWithLF, rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
        return rest.isEmpty ? nil : Data(rest)
    }
}
