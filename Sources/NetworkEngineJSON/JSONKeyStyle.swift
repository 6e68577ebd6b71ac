import Foundation

/// Converts a document's names to the keys of types.
enum JSONKeyStyle {
    case asWritten
    /// Converts names in snake case to camel case.
    case camelCase

    init?(_ strategy: JSONDecoder.KeyDecodingStrategy) {
        switch strategy {
        case .useDefaultKeys: self = .asWritten
        case .convertFromSnakeCase: self = .camelCase
        default: return nil
        }
    }

    /// The types' key for a name in the document.
    func key(for name: String) -> String {
        guard self == .camelCase else { return name }
        var text = name
        let simple = text.withUTF8 { bytes in
            CamelCase(JSONBytes(bytes), 0..<bytes.count).map { String(decoding: [UInt8]($0), as: UTF8.self) }
        }
        return simple ?? Self.camelCase(name)
    }

    /// Converts a name with any letters.
    private static func camelCase(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1, let start = words.first else { return name }
        let rest = words.dropFirst().map(\.capitalized).joined()
        return name[..<first] + start.lowercased() + rest + name[name.index(after: last)...]
    }
}

/// The bytes of a name in snake case, converted to camel case: `_user_name` becomes `_userName`.
///
/// A name with one word does not change. In a name with several words, the first becomes lowercase and the others are
/// capitalized. Leading and trailing underscores are kept.
struct CamelCase: Sequence, IteratorProtocol {
    private let bytes: JSONBytes
    private let end: Int
    /// The part between the leading and trailing underscores, if it has more than one word.
    private let words: Range<Int>
    private var position: Int
    private var isFirstWord = true
    private var followsLetter = false

    /// Returns `nil` if a word has a character that is not ASCII, or that is capitalized in a special way.
    init?(_ bytes: JSONBytes, _ name: Range<Int>) {
        self.bytes = bytes
        end = name.upperBound
        position = name.lowerBound
        var (first, last) = (name.lowerBound, name.upperBound)
        while first < last, bytes[first] == UInt8(ascii: "_") { first += 1 }
        while first < last, bytes[last - 1] == UInt8(ascii: "_") { last -= 1 }
        var (hasSeveral, isSimple) = (false, true)
        for index in first..<last {
            switch bytes[index] {
            case UInt8(ascii: "_"): hasSeveral = true
            case UInt8(ascii: "'"), UInt8(ascii: "^"), UInt8(ascii: "`"), ..<0x20, 0x7F...: isSimple = false
            default: continue
            }
        }
        guard isSimple || !hasSeveral else { return nil }
        words = hasSeveral ? first..<last : last..<last
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    mutating func next() -> UInt8? {
        guard position < end else { return nil }
        guard words.contains(position) else {
            position += 1
            return bytes[position - 1]
        }
        while bytes[position] == UInt8(ascii: "_") {
            (isFirstWord, followsLetter) = (false, false)
            position += 1
        }
        let byte = bytes[position]
        position += 1
        guard Self.isLetter(byte) else {
            followsLetter = false
            return byte
        }
        defer { followsLetter = true }
        return isFirstWord || followsLetter ? byte | 0x20 : byte & ~0x20
    }

    /// Whether the converted name equals this one.
    func equals(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var (rest, index) = (self, 0)
        while let byte = rest.next() {
            guard index < name.count, name[index] == byte else { return false }
            index += 1
        }
        return index == name.count
    }
}
