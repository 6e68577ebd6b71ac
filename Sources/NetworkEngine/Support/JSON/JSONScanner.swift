/// Finds the values of a JSON text, and refuses every text that not all readers of JSON would read alike.
///
/// It knows RFC 8259 and nothing else: no byte order mark, no other encoding than UTF-8, no half of a surrogate pair.
/// Where it goes on is what its functions return, so that it stays in a register; nothing where they refuse.
struct JSONScanner {
    /// How deep it goes.
    private static let depth = 128

    private var tokens: [JSONToken] = []
    private let bytes: JSONBytes

    private init(_ bytes: JSONBytes) {
        self.bytes = bytes
        tokens.reserveCapacity(min(bytes.count / 8, 1 << 12) + 8)
    }

    /// Whether a text of so many bytes is not too long.
    static func takes(count: Int) -> Bool { UInt64(count) < UInt64(UInt32.max) }

    /// The tokens of a text, and behind them a null that is not part of it; nothing where this scanner does not take it.
    static func tokens(of text: UnsafeBufferPointer<UInt8>) -> [JSONToken]? {
        var scanner = JSONScanner(JSONBytes(text))
        guard let end = scanner.value(at: 0, depth: 0), scanner.bytes.endOfSpace(from: end) == text.count else {
            return nil
        }
        scanner.add(.null, from: 0, to: 0)
        return scanner.tokens
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
            guard let number = bytes.number(at: start) else { return nil }
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
        for offset in 0..<count where bytes[start + offset] != text.utf8Start[offset] { return nil }
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
                guard bytes[position - 1] == UInt8(ascii: ",") else { return nil }
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
        guard bytes[start] == UInt8(ascii: "\""), let end = string(at: start, nameIn: object) else { return nil }
        let colon = bytes.endOfSpace(from: end)
        return bytes[colon] == UInt8(ascii: ":") ? colon + 1 : nil
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
                guard let length = bytes.lengthOfCharacter(at: position) else { return nil }
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
