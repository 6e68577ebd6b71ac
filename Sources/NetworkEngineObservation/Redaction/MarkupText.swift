import NetworkEngine

/// The decoded form of a markup text, and the source of each of its parts.
struct MarkupText {
    /// The text that replaces a secret, escaped for a document.
    static let placeholder = "&lt;redacted&gt;"

    private let source: String
    /// The text without entities. Entities other than XML's five are unchanged.
    let plain: String

    init(_ source: String) {
        self.source = source
        let hasEntities = source.utf8.contains(UInt8(ascii: "&"))
        plain = hasEntities ? String(decoding: Self.read(Array(source.utf8)).plain, as: UTF8.self) : source
    }

    /// A changed text, escaped for a document. Unchanged parts keep their original spelling.
    func rewritten(as changed: String) -> String {
        let bytes = Array(source.utf8)
        let (plain, starts) = Self.read(bytes)
        let changed = Array(changed.utf8)
        var alignment = Alignment(plain: plain, changed: changed)
        var output: [UInt8] = []
        while let part = alignment.next() {
            switch part {
            case .same(let range): output += bytes[starts[range.lowerBound]..<starts[range.upperBound]]
            case .new(let range): output += Self.escaped(changed, range)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of the text without entities, and the source index of each of them and of the end.
    private static func read(_ source: [UInt8]) -> (plain: [UInt8], starts: [Int]) {
        var (plain, starts): ([UInt8], [Int]) = ([], [])
        plain.reserveCapacity(source.count)
        starts.reserveCapacity(source.count + 1)
        var index = 0
        while index < source.count {
            guard source[index] == UInt8(ascii: "&"), let (scalar, end) = entity(at: index, in: source) else {
                let next = source[(index + 1)...].firstIndex(of: UInt8(ascii: "&")) ?? source.count
                plain += source[index..<next]
                starts += index..<next
                index = next
                continue
            }
            starts.append(index)
            let text = String(scalar).utf8
            plain += text
            starts += repeatElement(end, count: text.count - 1)
            index = end
        }
        return (plain, starts + [source.count])
    }

    /// The character of an entity, and the index after it.
    private static func entity(at start: Int, in source: [UInt8]) -> (Unicode.Scalar, end: Int)? {
        let text = source[(start + 1)...].prefix(longestEntity)
        guard let end = text.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = text[..<end]
        let scalar: Unicode.Scalar?
        if name.first == UInt8(ascii: "#") {
            let isHexadecimal = name.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
            let digits = String(decoding: name.dropFirst(isHexadecimal ? 2 : 1), as: UTF8.self)
            // The parser would also accept a sign.
            let isNumber = digits.utf8.first.map { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") } == true
            scalar = isNumber ? UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init) : nil
        } else {
            scalar = names[String(decoding: name, as: UTF8.self)]
        }
        return scalar.map { ($0, end + 1) }
    }

    /// A text with entities for markup characters. Entities with other names are unchanged.
    private static func escaped(_ text: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var output: [UInt8] = []
        for index in range {
            switch text[index] {
            case UInt8(ascii: "&") where !isOtherEntity(text[(index + 1)...]): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            case let byte: output.append(byte)
            }
        }
        return output
    }

    private static func isOtherEntity(_ text: ArraySlice<UInt8>) -> Bool {
        let name = text.prefix(longestEntity).prefix { (0x61...0x7A).contains($0 | 0x20) }
        return !name.isEmpty && name.endIndex < text.endIndex && text[name.endIndex] == UInt8(ascii: ";")
            && names[String(decoding: name, as: UTF8.self)] == nil
    }

    private static let names: [String: Unicode.Scalar] = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&"]
    private static let longestEntity = 32
}

/// Finds the parts of a text that a change has kept.
///
/// Any equal part of the original text can match a part of the changed one, because both are written alike.
private struct Alignment {
    enum Part {
        /// A range of the text before the change.
        case same(Range<Int>)
        /// A range of the changed text.
        case new(Range<Int>)
    }

    let plain: [UInt8]
    let changed: [UInt8]
    private var position = 0
    private var changedPosition = 0
    /// The number of searches that may still fail. Each reads the rest of the text.
    private var searches = 16

    init(plain: [UInt8], changed: [UInt8]) { (self.plain, self.changed) = (plain, changed) }

    mutating func next() -> Part? {
        if changedPosition == changed.count { return nil }
        let start = position
        while position < plain.count, changedPosition < changed.count, plain[position] == changed[changedPosition] {
            position += 1
            changedPosition += 1
        }
        // A character is entirely the same or entirely new.
        while changedPosition < changed.count, Self.isInside(changed[changedPosition]), position > start {
            position -= 1
            changedPosition -= 1
        }
        return position > start ? .same(start..<position) : .new(replacement())
    }

    /// The replacement for a changed part. Moves to the position where the original text continues.
    private mutating func replacement() -> Range<Int> {
        let rest = changed[changedPosition...]
        let placeholder = Self.placeholders.first { rest.starts(with: $0) }
        let end =
            placeholder.map { rest.startIndex + $0.count }
            ?? rest.dropFirst().firstIndex { !Self.isInside($0) } ?? rest.endIndex
        changedPosition = end
        if searches > 0 {
            var anchor = changed[end...].prefix(8)
            // The next placeholder cannot be searched for.
            if let next = anchor.indices.first(where: { Self.isPlaceholder(changed[$0...]) }) {
                anchor = anchor[..<next]
            }
            if !anchor.isEmpty { if let found = place(of: anchor) { position = found } else { searches -= 1 } }
        }
        return rest.startIndex..<end
    }

    private func place(of anchor: ArraySlice<UInt8>) -> Int? {
        var start = position
        while let next = plain[start...].firstIndex(of: anchor[anchor.startIndex]) {
            if plain[next...].starts(with: anchor) { return next }
            start = next + 1
        }
        return nil
    }

    private static func isPlaceholder(_ text: ArraySlice<UInt8>) -> Bool {
        placeholders.contains { text.starts(with: $0) }
    }

    /// Whether a byte continues a character.
    private static func isInside(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private static let placeholders = [
        Redaction.placeholder, Redaction.placeholderInAddress, MarkupText.placeholder,
    ].map { Array($0.utf8) }
}
