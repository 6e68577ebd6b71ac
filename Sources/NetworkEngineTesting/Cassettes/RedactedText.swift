import Foundation
import NetworkEngine

/// A text with placeholders that match any text that is not empty.
struct RedactedText {
    /// The texts before, between and after the placeholders.
    private let parts: [[UInt8]]

    init(_ text: some Collection<UInt8>) {
        let placeholder = Array(Redaction.placeholder.utf8)
        var parts: [[UInt8]] = []
        var rest = Array(text)[...]
        while let end = Self.end(of: placeholder, in: rest) {
            parts.append(Array(rest[..<(end - placeholder.count)]))
            rest = rest[end...]
        }
        self.parts = parts + [Array(rest)]
    }

    var hasPlaceholder: Bool { parts.count > 1 }

    func matches(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard hasPlaceholder, let first = parts.first, let last = parts.last else { return false }
        guard rest.count > first.count + last.count, rest.starts(with: first),
            rest.suffix(last.count).elementsEqual(last)
        else { return false }
        rest = rest.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() {
            guard let end = Self.end(of: part, in: rest.dropFirst()) else { return false }
            rest = rest[end...]
        }
        return !rest.isEmpty
    }

    /// The end of the first occurrence of a part.
    ///
    /// The time is linear in the lengths, even for repetitive parts (Knuth, Morris and Pratt).
    private static func end(of part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        if part.isEmpty { return text.startIndex }
        // For each prefix, the length of the longest shorter one that it also ends with.
        var borders = [0]
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, part[length] != byte { length = borders[length - 1] }
            if part[length] == byte { length += 1 }
            borders.append(length)
        }
        length = 0
        for index in text.indices {
            while length > 0, part[length] != text[index] { length = borders[length - 1] }
            if part[length] == text[index] { length += 1 }
            if length == part.count { return index + 1 }
        }
        return nil
    }
}

extension RedactedText {
    /// JSON with quotes around the numbers that are placeholders or contain one; `nil` if there is nothing to quote.
    ///
    /// A value is removed wherever it occurs, so `{"owner": 1234567}` becomes `{"owner": <redacted>}`.
    static func quotingNumbers(in json: Data) -> Data? {
        guard let first = json.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) else { return nil }
        let quote = UInt8(ascii: "\"")
        var result: [UInt8] = []
        var rest = [UInt8](json)[...]
        var isChanged = false
        while let byte = rest.first {
            var token = byte == quote ? literal(at: rest) : rest.prefix { !endsToken($0) }
            if token.isEmpty { token = rest.prefix(1) }
            if byte != quote, RedactedText(token).hasPlaceholder {
                result.append(quote)
                result += token
                result.append(quote)
                isChanged = true
            } else {
                result += token
            }
            rest = rest[token.endIndex...]
        }
        return isChanged ? Data(result) : nil
    }

    /// The string at the start of a text, with its quotes.
    private static func literal(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if isEscaped {
                isEscaped = false
            } else if text[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if text[index] == UInt8(ascii: "\"") {
                return text[...index]
            }
        }
        return text
    }

    private static func endsToken(_ byte: UInt8) -> Bool { byte <= 0x20 || ",:[]{}\"".utf8.contains(byte) }
}
