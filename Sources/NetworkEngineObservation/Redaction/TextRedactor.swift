import Foundation
import NetworkEngine

/// Removes secrets from plain text: values in `name: value` lines and `name=value` words, and words that are tokens.
struct TextRedactor {
    /// The removed values.
    private(set) var found: Set<String> = []
    private let hidesOpaqueWords: Bool
    private let isSecret: (String) -> Bool

    /// - Parameter hidesOpaqueWords: whether a long word of letters and digits counts as a token.
    init(hidesOpaqueWords: Bool, isSecret: @escaping (String) -> Bool) {
        self.hidesOpaqueWords = hidesOpaqueWords
        self.isSecret = isSecret
    }

    mutating func redact(_ text: String) -> String {
        text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }.reduce(into: "") {
            result, line in
            result += redact(line: String(line))
            // The separator, which the split removed.
            if line.endIndex < text.unicodeScalars.endIndex {
                result.unicodeScalars.append(text.unicodeScalars[line.endIndex])
            }
        }
    }

    private mutating func redact(line: String) -> String {
        let bytes = Array(line.utf8)
        if let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }), mark <= 64 {
            let name = String(decoding: bytes[..<mark], as: UTF8.self).trimmingCharacters(in: Self.aroundNames)
            let isName = !name.isEmpty && name.utf8.allSatisfy { $0 == 0x20 || !Self.endsWord($0) }
            let value = String(decoding: bytes[(mark + 1)...], as: UTF8.self)
            let plain = value.trimmingCharacters(in: Self.aroundNames)
            if isName, isSecret(name), !plain.isEmpty, plain != Redaction.placeholder {
                found.insert(plain)
                return String(decoding: bytes[...mark], as: UTF8.self) + (value.hasPrefix(" ") ? " " : "")
                    + Redaction.placeholder
            }
        }
        return redact(words: bytes)
    }

    private mutating func redact(words bytes: [UInt8]) -> String {
        var result = ""
        var rest = bytes[...]
        var isBehindScheme = false
        while !rest.isEmpty {
            let word = rest.prefix { !Self.endsWord($0) }
            let text = String(decoding: word, as: UTF8.self)
            result += redact(word: text, isSecret: isBehindScheme)
            if !text.isEmpty { isBehindScheme = ["bearer", "basic"].contains(text.lowercased()) }
            rest = rest[word.endIndex...]
            let separators = rest.prefix { Self.endsWord($0) }
            result += String(decoding: separators, as: UTF8.self)
            rest = rest[separators.endIndex...]
        }
        return result
    }

    private mutating func redact(word: String, isSecret isBehindScheme: Bool) -> String {
        if word == Redaction.placeholder { return word }
        // A combining mark after the sign makes both one `Character`.
        let scalars = word.unicodeScalars
        if let equals = scalars.firstIndex(of: "="), isSecret(String(scalars[..<equals])) {
            let value = String(scalars[scalars.index(after: equals)...])
            if value.isEmpty || value == Redaction.placeholder { return word }
            found.insert(value)
            return String(scalars[...equals]) + Redaction.placeholder
        }
        let isOpaque = hidesOpaqueWords && !word.contains("://") && OpaqueText.isToken(word)
        guard isOpaque || (isBehindScheme && OpaqueText.isToken(word, minimumLength: 6)) else { return word }
        found.insert(word)
        return Redaction.placeholder
    }

    private static let aroundNames = CharacterSet(charactersIn: " \t\"'")

    /// White space, quotes and brackets.
    private static func endsWord(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'<>()[]{},;".utf8.contains(byte) }
}
