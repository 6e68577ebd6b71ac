import Foundation

/// Finds the values of a JSON text, and refuses every text that not all readers of JSON would read alike.
///
/// It knows RFC 8259 and nothing else: no byte order mark, no other encoding than UTF-8, no half of a surrogate pair.
/// Where it goes on is what its functions return, so that it stays in a register; nothing where they refuse.
struct JSONScanner {
    /// How deep it goes: as deep as the platform does.
    private static let depth = 512

    private var tokens: [JSONToken] = []
    /// Whether every reader refuses the text, and not only this one.
    private var isBroken = false
    private let bytes: JSONBytes

    private init(_ bytes: JSONBytes) {
        self.bytes = bytes
        tokens.reserveCapacity(min(bytes.count / 8, 1 << 12) + 8)
    }

    /// Whether a text of so many bytes is not too long.
    private static func takes(count: Int) -> Bool { UInt64(count) < UInt64(UInt32.max) }

    enum Outcome {
        /// The tokens of a text, and behind them a null that is not part of it.
        case tokens([JSONToken])
        /// A text that this scanner does not take, and others may.
        case unsure
        /// A text that is JSON to nobody.
        case broken
    }

    static func scan(_ text: Data) -> Outcome {
        guard takes(count: text.count) else { return .unsure }
        return text.withUnsafeBytes { scan($0.bindMemory(to: UInt8.self)) }
    }

    private static func scan(_ text: UnsafeBufferPointer<UInt8>) -> Outcome {
        var scanner = JSONScanner(JSONBytes(text))
        guard let end = scanner.value(at: 0, depth: 0) else { return scanner.isBroken ? .broken : .unsure }
        let rest = scanner.bytes.endOfSpace(from: end)
        guard rest == text.count else {
            _ = scanner.stop(at: rest)
            return scanner.isBroken ? .broken : .unsure
        }
        scanner.add(.null, from: 0, to: 0)
        return .tokens(scanner.tokens)
    }

    /// Notes that what is here cannot stand here; always nothing.
    ///
    /// Some readers take a comma too many, and what is no number where nobody asks for it; and what is not ASCII may be
    /// another encoding.
    private mutating func stop(at index: Int, behindComma: Bool = false) -> Int? {
        switch bytes[index] {
        case UInt8(ascii: "]"), UInt8(ascii: "}"): isBroken = !behindComma
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"): break
        case 0x20..<0x7F: isBroken = true
        default: isBroken = index >= bytes.count
        }
        return nil
    }

    private mutating func value(at start: Int, depth: Int) -> Int? {
        let start = bytes.endOfSpace(from: start)
        switch bytes[start] {
        case UInt8(ascii: "\""): return string(at: start, nameIn: nil)
        case UInt8(ascii: "{"): return container(.object, at: start, depth: depth + 1)
        case UInt8(ascii: "["): return container(.array, at: start, depth: depth + 1)
        case UInt8(ascii: "t"): return word(.yes, "true", at: start)
        case UInt8(ascii: "f"): return word(.no, "false", at: start)
        case UInt8(ascii: "n"): return word(.null, "null", at: start)
        default:
            guard let number = bytes.number(at: start) else {
                return bytes[start] &- 0x30 < 10 || bytes[start] == UInt8(ascii: "-")
                    ? nil : stop(at: start, behindComma: true)
            }
            add(.number, from: start, to: number.end, number.isFractional ? .fractional : .plain)
            return number.end
        }
    }

    @inline(__always)
    private mutating func add(_ kind: JSONToken.Kind, from start: Int, to end: Int, _ trait: JSONToken.Trait = .plain) {
        let next = UInt32(truncatingIfNeeded: tokens.count + 1)
        let (start, end) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: end))
        tokens.append(JSONToken(kind: kind, trait: trait, start: start, end: end, next: next))
    }

    private mutating func word(_ kind: JSONToken.Kind, _ text: StaticString, at start: Int) -> Int? {
        let count = text.utf8CodeUnitCount
        for offset in 0..<count where bytes[start + offset] != text.utf8Start[offset] {
            return stop(at: start + offset)
        }
        add(kind, from: start, to: start + count)
        return start + count
    }

    private mutating func container(_ kind: JSONToken.Kind, at start: Int, depth: Int) -> Int? {
        guard depth <= Self.depth else { return nil }
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
                guard bytes[position - 1] == UInt8(ascii: ",") else { return stop(at: position - 1) }
            }
        }
        tokens[index].count = count
        tokens[index].end = UInt32(truncatingIfNeeded: position)
        tokens[index].next = UInt32(truncatingIfNeeded: tokens.count)
        return position
    }

    /// A name and the colon behind it.
    private mutating func name(at start: Int, of object: Int) -> Int? {
        let start = bytes.endOfSpace(from: start)
        guard bytes[start] == UInt8(ascii: "\"") else { return stop(at: start, behindComma: true) }
        guard let end = string(at: start, nameIn: object) else { return nil }
        let colon = bytes.endOfSpace(from: end)
        return bytes[colon] == UInt8(ascii: ":") ? colon + 1 : stop(at: colon)
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
                guard let length = bytes.lengthOfCharacter(at: position) else { return stop(at: position) }
                if trait == .plain { trait = .wide }
                position += length
            }
            position = bytes.endOfPlainText(from: position)
        }
        if trait != .plain, let object { tokens[object].trait = .wide }
        add(.string, from: start, to: position, trait)
        return position + 1
    }
}
