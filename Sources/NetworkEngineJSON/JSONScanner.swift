import Foundation

/// Finds the values in a JSON text, and rejects every text that JSON readers interpret differently.
///
/// It accepts only RFC 8259: no byte order mark, no encoding other than UTF-8, no unpaired surrogate. Its functions
/// return the position after a value, so that it remains in a register, or `nil` to reject the text.
struct JSONScanner: ~Copyable {
    /// The maximum nesting depth, which is Foundation's.
    private static let maximumDepth = 512

    private var tokens: JSONTokenList
    /// Whether every reader rejects the text.
    private var isInvalid = false
    private let bytes: JSONBytes

    private init(_ bytes: JSONBytes, _ tokens: consuming JSONTokenList) {
        self.bytes = bytes
        self.tokens = tokens
    }

    enum Outcome {
        /// The tokens are known, followed by a null that is not part of the text.
        case isRead
        /// This scanner rejects the text, but others may accept it.
        case needsFallback
        /// No reader accepts the text.
        case isInvalid
    }

    static func likelyTokens(in count: Int) -> Int { min(count / 8, 1 << 12) + 8 }

    /// Finds the tokens in a text.
    static func scan(_ text: JSONBytes, _ tokens: inout JSONTokenList) -> Outcome {
        // Tokens have 32-bit positions.
        guard UInt64(text.count) < UInt64(UInt32.max) else { return .needsFallback }
        var scanner = JSONScanner(text, tokens)
        let outcome = scanner.document()
        tokens = scanner.finish()
        return outcome
    }

    private consuming func finish() -> JSONTokenList { tokens }

    private mutating func document() -> Outcome {
        guard let end = value(at: 0, depth: 0) else { return isInvalid ? .isInvalid : .needsFallback }
        let rest = bytes.endOfSpace(from: end)
        guard rest == bytes.count else {
            _ = reject(at: rest)
            return isInvalid ? .isInvalid : .needsFallback
        }
        add(.null, from: 0, to: 0)
        return .isRead
    }

    /// Records whether the byte at `index` makes the text invalid for every reader. Always returns `nil`.
    ///
    /// Some readers accept a trailing comma, and malformed numbers in values that no type reads. Bytes that are not
    /// ASCII can belong to another encoding.
    private mutating func reject(at index: Int, afterComma: Bool = false) -> Int? {
        switch bytes[index] {
        case UInt8(ascii: "]"), UInt8(ascii: "}"): isInvalid = !afterComma
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"): break
        case 0x20..<0x7F: isInvalid = true
        default: isInvalid = index >= bytes.count
        }
        return nil
    }

    private mutating func value(at start: Int, depth: Int) -> Int? {
        let start = bytes.endOfSpace(from: start)
        switch bytes[start] {
        case UInt8(ascii: "\""): return string(at: start, nameIn: nil)
        case UInt8(ascii: "{"): return container(.object, at: start, depth: depth + 1)
        case UInt8(ascii: "["): return container(.array, at: start, depth: depth + 1)
        case UInt8(ascii: "t"): return literal(.true, "true", at: start)
        case UInt8(ascii: "f"): return literal(.false, "false", at: start)
        case UInt8(ascii: "n"): return literal(.null, "null", at: start)
        default:
            guard let number = bytes.number(at: start) else {
                return bytes[start] &- 0x30 < 10 || bytes[start] == UInt8(ascii: "-")
                    ? nil : reject(at: start, afterComma: true)
            }
            add(.number, from: start, to: number.end, number.isFractional ? .fractional : .plain)
            return number.end
        }
    }

    @inline(__always)
    private mutating func add(
        _ kind: JSONToken.Kind,
        from start: Int,
        to end: Int,
        _ trait: JSONToken.Trait = .plain,
        count: UInt32 = 0
    ) {
        let next = UInt32(truncatingIfNeeded: tokens.count + 1)
        let (start, end) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end))
        tokens.append(JSONToken(kind: kind, trait: trait, start: start, end: end, count: count, next: next))
    }

    private mutating func literal(_ kind: JSONToken.Kind, _ text: StaticString, at start: Int) -> Int? {
        let count = text.utf8CodeUnitCount
        for offset in 0..<count where bytes[start + offset] != text.utf8Start[offset] {
            return reject(at: start + offset)
        }
        add(kind, from: start, to: start + count)
        return start + count
    }

    private mutating func container(_ kind: JSONToken.Kind, at start: Int, depth: Int) -> Int? {
        guard depth <= Self.maximumDepth else { return nil }
        let index = tokens.count
        let last = kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        add(kind, from: start, to: start)
        var count: UInt32 = 0
        var position = bytes.endOfSpace(from: start + 1)
        if bytes[position] == last {
            position += 1
        } else {
            while true {
                if kind == .object {
                    guard let value = name(at: position, of: index) else { return nil }
                    position = value
                }
                guard let end = value(at: position, depth: depth) else { return nil }
                count += 1
                position = bytes.endOfSpace(from: end) + 1
                if bytes[position - 1] == last { break }
                guard bytes[position - 1] == UInt8(ascii: ",") else { return reject(at: position - 1) }
            }
        }
        let next = UInt32(truncatingIfNeeded: tokens.count)
        tokens.change(index) {
            $0.count = count
            $0.end = UInt32(truncatingIfNeeded: position)
            $0.next = next
        }
        return position
    }

    /// Reads a name and the colon after it.
    private mutating func name(at start: Int, of object: Int) -> Int? {
        let start = bytes.endOfSpace(from: start)
        guard bytes[start] == UInt8(ascii: "\"") else { return reject(at: start, afterComma: true) }
        guard let end = string(at: start, nameIn: object) else { return nil }
        let colon = bytes.endOfSpace(from: end)
        return bytes[colon] == UInt8(ascii: ":") ? colon + 1 : reject(at: colon)
    }

    private mutating func string(at start: Int, nameIn object: Int?) -> Int? {
        let start = start + 1
        var trait = JSONToken.Trait.plain
        var position = bytes.endOfPlainText(from: start)
        while bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                guard let length = bytes.lengthOfEscape(at: position) else { return nil }
                trait = .escaped
                position += length
            } else {
                guard let length = bytes.lengthOfCharacter(at: position) else { return reject(at: position) }
                if trait == .plain { trait = .wide }
                position += length
            }
            position = bytes.endOfPlainText(from: position)
        }
        if trait != .plain, let object { tokens.change(object) { $0.trait = .wide } }
        add(.string, from: start, to: position, trait, count: object == nil ? 0 : bytes.mark(of: start..<position))
        return position + 1
    }
}
