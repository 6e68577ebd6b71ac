import Foundation

/// Finds the position of a value or of a syntax error in JSON, which Foundation's decoder on Linux does not report.
struct JSONScanner {
    /// The position of a syntax error and its reason.
    struct Fault: Error {
        let offset: Int
        let reason: String
    }

    /// The bytes of the sought value, or of the nearest existing value around it.
    private(set) var found = 0..<0
    private let bytes: [UInt8]
    private let path: [any CodingKey]
    private var position = 0
    private var foundDepth = -1
    private var nesting = 0

    init(_ data: Data, seeking path: [any CodingKey]) {
        bytes = [UInt8](data)
        self.path = path
    }

    mutating func scan() -> Fault? {
        do throws(Fault) {
            try value(depth: 0)
            skipSpace()
            return position < bytes.count ? unexpected() : nil
        } catch {
            return error
        }
    }

    /// - Parameter depth: The number of path components that lead to this value; `nil` outside the path.
    private mutating func value(depth: Int?) throws(Fault) {
        skipSpace()
        let start = position
        let isNearest = depth.map { $0 > foundDepth } ?? false
        if isNearest, let depth { foundDepth = depth }
        switch peek {
        case UInt8(ascii: "{"): try members(closing: UInt8(ascii: "}"), depth: depth, areNamed: true)
        case UInt8(ascii: "["): try members(closing: UInt8(ascii: "]"), depth: depth, areNamed: false)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): try word()
        default: try number()
        }
        if isNearest, depth == foundDepth { found = start..<position }
    }

    private mutating func members(closing end: UInt8, depth: Int?, areNamed: Bool) throws(Fault) {
        position += 1
        nesting += 1
        guard nesting < 500 else { throw Fault(offset: position, reason: "the JSON is nested too deeply") }
        defer { nesting -= 1 }
        skipSpace()
        if peek == end { return position += 1 }
        let next = depth.flatMap { $0 < path.count ? path[$0] : nil }
        for index in 0... {
            skipSpace()
            let isOnPath: Bool
            if areNamed {
                guard peek == UInt8(ascii: "\"") else { throw unexpected() }
                let name = try string()
                isOnPath = next.map { $0.elementIndex == nil && $0.stringValue.isSameKey(as: name) } ?? false
                skipSpace()
                try take(UInt8(ascii: ":"))
            } else {
                isOnPath = next?.elementIndex == index
            }
            try value(depth: isOnPath ? depth.map { $0 + 1 } : nil)
            skipSpace()
            if peek == end { return position += 1 }
            try take(UInt8(ascii: ","))
        }
    }

    private mutating func string() throws(Fault) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Fault(offset: position, reason: "not JSON: a string is not closed") }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else { throw unexpected() }
        defer { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func number() throws(Fault) {
        if peek == UInt8(ascii: "-") { position += 1 }
        try digits()
        if peek == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        guard let byte = peek, byte | 0x20 == UInt8(ascii: "e") else { return }
        position += 1
        if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
        try digits()
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        if position == start { throw unexpected() }
    }

    private mutating func word() throws(Fault) {
        for word in ["true", "false", "null"] where bytes[min(position, bytes.count)...].starts(with: word.utf8) {
            return position += word.utf8.count
        }
        throw unexpected()
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) throws(Fault) {
        guard peek == byte else { throw unexpected() }
        position += 1
    }

    private func unexpected() -> Fault {
        guard position < bytes.count else { return Fault(offset: bytes.count, reason: "not JSON: it ends too early") }
        let character = String(decoding: bytes[position...].prefix(4), as: UTF8.self).prefix(1)
        return Fault(offset: position, reason: "not JSON: unexpected \(String(character).debugDescription)")
    }
}

extension String {
    /// Whether two keys are equal, or one is the snake case of the other.
    fileprivate func isSameKey(as other: String) -> Bool {
        self == other || lowercased().filter { $0 != "_" } == other.lowercased().filter { $0 != "_" }
    }
}
