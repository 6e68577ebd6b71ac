import Foundation

struct ByteQueue: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    /// The end of the bytes already searched for a line end, so that slowly arriving bytes are examined only once.
    private var searched = 0

    var count: Int { bytes.count - start }
    var first: UInt8? { start < bytes.count ? bytes[start] : nil }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    mutating func skip(while condition: (UInt8) -> Bool) {
        while let first, condition(first) { start += 1 }
        searched = max(searched, start)
        compact()
    }

    mutating func take(atMost limit: Int) -> [UInt8]? {
        guard count > 0, limit > 0 else { return nil }
        return take(upTo: start + min(limit, count))
    }

    mutating func takeAll() -> [UInt8] { take(upTo: bytes.count) }

    /// Removes and returns the bytes through the first empty line.
    mutating func takeHead() -> [UInt8]? {
        while let newline = nextNewline() {
            searched = newline + 1
            let isEmpty =
                (newline > start && bytes[newline - 1] == 0x0A)
                || (newline > start + 1 && bytes[newline - 1] == 0x0D && bytes[newline - 2] == 0x0A)
            if isEmpty { return take(upTo: newline + 1) }
        }
        return nil
    }

    /// Removes the next line and returns it without its line end.
    mutating func takeLine() -> ArraySlice<UInt8>? {
        guard let newline = nextNewline() else { return nil }
        let line = take(upTo: newline + 1)[...].dropLast()
        return line.last == 0x0D ? line.dropLast() : line
    }

    private mutating func nextNewline() -> Int? {
        let from = max(searched, start)
        let found = bytes.withUnsafeBytes { raw -> Int? in
            guard let base = raw.baseAddress, from < raw.count,
                let hit = memchr(base + from, 0x0A, raw.count - from)
            else { return nil }
            return UnsafeRawPointer(hit) - base
        }
        if found == nil { searched = bytes.count }
        return found
    }

    private mutating func take(upTo end: Int) -> [UInt8] {
        let taken = Array(bytes[start..<end])
        start = end
        searched = end
        compact()
        return taken
    }

    private mutating func compact() {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 17)
            (start, searched) = (0, 0)
        } else if start > 1 << 16 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
    }
}
