import Foundation
import NetworkEngine

/// The values of literals and texts.
extension JSONRedactor {
    /// A literal in single quotes, or without quotes, as a literal in double quotes.
    static func inDoubleQuotes(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var literal = [UInt8(ascii: "\"")]
        var index = text.startIndex
        while index < text.endIndex {
            let next = index + 1 < text.endIndex ? text[index + 1] : 0
            switch text[index] {
            case UInt8(ascii: "\\") where next == UInt8(ascii: "'"): literal.append(next)
            case UInt8(ascii: "\\") where next == UInt8(ascii: "x"): literal += #"\u00"#.utf8
            case UInt8(ascii: "\\"): literal += [UInt8(ascii: "\\"), next]
            case UInt8(ascii: "\""): literal += #"\""#.utf8
            case let byte: literal.append(byte)
            }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return (literal + [UInt8(ascii: "\"")])[...]
    }

    /// Whether a text is a document, so that only its strings are texts.
    ///
    /// Log lines can begin with words or a time in brackets.
    static func isDocument(_ text: some StringProtocol) -> Bool {
        let text = text.utf8.drop { $0 <= 0x20 }
        let content = text.dropFirst().drop { $0 <= 0x20 }
        guard text.first == UInt8(ascii: "[") else {
            return text.first == UInt8(ascii: "{") && beginsMembers(content)
        }
        guard let first = content.first, isInWord(first) || (0x30...0x39).contains(first) else { return true }
        let end = content.firstIndex { !isInWord($0) && !isInNumber($0) } ?? content.endIndex
        let word = String(decoding: content[..<end], as: UTF8.self)
        let isValue = ["true", "false", "null"].contains(word) || Double(word) != nil
        let rest = content[end...].drop { $0 <= 0x20 }
        guard isValue, rest.first == UInt8(ascii: "]") else {
            return isValue && rest.first ?? 0x2C == UInt8(ascii: ",")
        }
        return rest.dropFirst().allSatisfy { $0 <= 0x20 }
    }

    /// Whether an object member follows a brace, and not the code of a script or a template.
    private static func beginsMembers(_ content: some Collection<UInt8>) -> Bool {
        guard let first = content.first, !"\"'}/".utf8.contains(first) else { return true }
        let isName = isInWord(first) || first == UInt8(ascii: "\\")
        let rest = content.drop { isInWord($0) || isInNumber($0) || $0 == UInt8(ascii: "\\") }.drop { $0 <= 0x20 }
        return isName && rest.first ?? 0x3A == UInt8(ascii: ":")
    }

    /// Whether a text can contain a document. In GraphQL and error messages, words precede it.
    static func mayHaveDocument(_ text: String) -> Bool {
        isDocument(text)
            || (text.utf8.contains(UInt8(ascii: ":")) && text.utf8.contains { $0 == 0x7B || $0 == 0x5B })
    }

    /// Whether a text looks like a token. Addresses and times contain a colon.
    static func isShortToken(_ text: String) -> Bool {
        OpaqueText.isToken(text, minimumLength: 12) && !text.utf8.contains(UInt8(ascii: ":"))
    }

    static func isInNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }

    static func isInWord(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }

    /// The value of a truncated literal, without an incomplete escape.
    static func plain(cut literal: ArraySlice<UInt8>) -> String? {
        for length in 0...min(6, literal.count) {
            let closed = Data(literal.dropLast(length)) + Data("\"".utf8)
            if let text = try? JSONDecoder().decode(String.self, from: closed) { return text }
        }
        return nil
    }

    /// The value of a literal.
    static func plain(_ literal: ArraySlice<UInt8>) -> String {
        let quote = UInt8(ascii: "\"")
        if literal.count >= 2, literal.first == quote, literal.last == quote, !literal.contains(UInt8(ascii: "\\")) {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        // Foundation traps on some documents that are not text.
        if literal.first == quote, let text = try? JSONDecoder().decode(String.self, from: Data(literal)) {
            return text
        }
        return String(decoding: literal.drop { $0 == UInt8(ascii: "\"") }, as: UTF8.self)
    }
}
