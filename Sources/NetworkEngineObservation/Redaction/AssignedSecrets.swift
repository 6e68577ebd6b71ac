import Foundation
import NetworkEngine

/// Removes secret values that are assigned within other text: `token=x`, `password: "x"`, `X-Api-Key: x`.
struct AssignedSecrets {
    /// The removed values.
    private(set) var found: Set<String> = []
    private let isSecret: (String) -> Bool
    private var bytes: [UInt8] = []
    private var output: [UInt8] = []
    /// The number of bytes already copied to the output.
    private var copied = 0
    /// The last word after a colon, and the indices from which the rest of the word is a token.
    private var lastWord = 0..<0
    private var tokens = 0..<0

    init(isSecret: @escaping (String) -> Bool) { self.isSecret = isSecret }

    /// A value in quotes or brackets can follow a sign anywhere, and so can a value directly after an equals sign. In a
    /// sentence, words follow a colon, so a value there must look like a token, or its name must begin a line.
    mutating func redact(_ text: String) -> String {
        guard text.utf8.contains(where: Self.isSign) || text.utf8.contains(UInt8(ascii: " ")) else { return text }
        (bytes, output, copied) = (Array(text.utf8), [], 0)
        (lastWord, tokens) = (0..<0, 0..<0)
        var index = 0
        var name: Range<Int>?
        while index < bytes.count {
            let byte = bytes[index]
            var value: Range<Int>?
            if Self.isOfName(byte) {
                name = (name.flatMap { $0.upperBound == index ? $0.lowerBound : nil } ?? index)..<(index + 1)
            } else if Self.isSign(byte) {
                value = name.flatMap { self.value(of: $0, behind: index) }
                name = nil
            } else if let last = name, last.upperBound == index, byte == 0x20, isBearer(last) {
                value = Self.nonempty(word(from: index + 1)).flatMap { isToken($0, minimumLength: 6) ? $0 : nil }
            } else if let last = name, index - last.upperBound >= Self.longestGap || !Self.mayEndName(byte) {
                name = nil
            }
            index += 1
            if let value, !isRedacted(value) {
                hide(value)
                (index, name) = (value.upperBound, nil)
            }
        }
        return copied == 0 ? text : String(decoding: output + bytes[copied...], as: UTF8.self)
    }

    private mutating func hide(_ value: Range<Int>) {
        output += bytes[copied..<value.lowerBound]
        output += Redaction.placeholder.utf8
        copied = value.upperBound
        let text = String(decoding: bytes[value], as: UTF8.self)
        // Plain words in a sentence are not searched for elsewhere.
        let isWord = bytes[value].allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x20 }
        if !isWord || isQuoted(value) { found.insert(text) }
        for part in text.split(whereSeparator: { " ,[]{}\"'".contains($0) }) where part.utf8.count < bytes[value].count
        {
            if OpaqueText.isToken(part, minimumLength: 8) { found.insert(String(part)) }
        }
    }

    private func isQuoted(_ value: Range<Int>) -> Bool {
        value.lowerBound > 0 && Self.isQuote(bytes[value.lowerBound - 1])
    }

    private func isRedacted(_ value: Range<Int>) -> Bool {
        let value = bytes[value]
        return value.elementsEqual(Redaction.placeholder.utf8)
            || (value.last == UInt8(ascii: ">") && value.reversed().starts(with: Redaction.placeholder.utf8.reversed())
                && value.dropLast(Redaction.placeholder.utf8.count).allSatisfy { Self.isOfName($0) || $0 == 0x20 })
    }

    // MARK: Values

    /// The value after a sign; `nil` if its name is not secret.
    private mutating func value(of name: Range<Int>, behind sign: Int) -> Range<Int>? {
        guard sign - name.upperBound <= Self.longestGap, name.count <= Self.longestName else { return nil }
        let text = String(decoding: bytes[name], as: UTF8.self)
        let isField = text.contains("-") && Redaction.isSecret(header: text)
        guard isField || isSecret(text) else { return nil }
        var start = sign + 1
        // `==`, `=>` and `:=` are also signs.
        while start < bytes.count, start - sign <= 4, " =>".utf8.contains(bytes[start]) { start += 1 }
        guard start < bytes.count else { return nil }
        if let value = quoted(from: start) { return value }
        let isAssigned = bytes[sign] == UInt8(ascii: "=")
        if isAssigned, "[{".utf8.contains(bytes[start]), !bytes[start...].starts(with: "{{".utf8) {
            return container(from: start)
        }
        if let value = credential(from: start, upTo: end(ofLine: name, from: start)) { return value }
        if isAssigned, start == sign + 1 || !bytes[(sign + 1)..<start].contains(0x20) {
            return Self.nonempty(word(from: start))
        }
        // An error's code and a pair's key are usually harmless.
        guard isField || !["code", "key"].contains(text.lowercased()) else { return nil }
        if begins(line: name) {
            let line = start..<end(ofLine: name, from: start)
            let plain = Self.trimmed(line, of: bytes)
            let isHead = isField || Self.fields.contains(text.lowercased())
            if isHead || word(from: start).upperBound == plain.upperBound { return Self.nonempty(plain) }
        }
        return token(from: start)
    }

    /// The rest of a word, if it is a token.
    ///
    /// A word can contain many names followed by a colon. Reading it to the end for each one would take quadratic time.
    private mutating func token(from start: Int) -> Range<Int>? {
        if !lastWord.contains(start) {
            lastWord = word(from: start)
            tokens = OpaqueText.startsOfTokens(in: bytes[lastWord], minimumLength: 8)
        }
        return tokens.contains(start) ? start..<lastWord.upperBound : nil
    }

    /// A value in quotes, which a letter or a backslash may precede; empty values do not count.
    private func quoted(from index: Int) -> Range<Int>? {
        var start = index
        if start + 1 < bytes.count, Self.isQuote(bytes[start + 1]), Self.mayBeginQuotes(bytes[start]) { start += 1 }
        let quote = bytes[start]
        guard Self.isQuote(quote) else { return nil }
        let isEscaped = start > index && bytes[index] == UInt8(ascii: "\\")
        // GraphQL block strings.
        if bytes[start...].starts(with: [quote, quote, quote]) { start += 2 }
        var end = start + 1
        while end < bytes.count, bytes[end] != quote, !isEscaped || bytes[end] != UInt8(ascii: "\\") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return Self.nonempty((start + 1)..<max(start + 1, min(end, bytes.count)))
    }

    /// Everything enclosed in brackets, including the brackets. A truncated text ends inside them.
    private func container(from start: Int) -> Range<Int> {
        var (index, depth) = (start, 0)
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\\") {
                index += 1
            } else if Self.isQuote(byte), quote == nil || quote == byte {
                quote = quote == nil ? byte : nil
            } else if quote == nil, "[{".utf8.contains(byte) {
                depth += 1
            } else if quote == nil, "]}".utf8.contains(byte) {
                depth -= 1
                if depth == 0 { break }
            }
        }
        return start..<min(index, bytes.count)
    }

    /// The text after an authentication scheme: a word, or the rest of the line for schemes with parameters.
    private func credential(from start: Int, upTo end: @autoclosure () -> Int) -> Range<Int>? {
        let scheme = bytes[start...].prefix(17).prefix { Self.isOfName($0) }
        guard scheme.endIndex < bytes.count, bytes[scheme.endIndex] == 0x20,
            let hasParameters = Self.schemes[String(decoding: scheme, as: UTF8.self).lowercased()]
        else { return nil }
        let start = scheme.endIndex + 1
        if bytes[start...].starts(with: Redaction.placeholder.utf8) {
            return start..<(start + Redaction.placeholder.utf8.count)
        }
        return Self.nonempty(hasParameters ? Self.trimmed(start..<max(start, end()), of: bytes) : word(from: start))
    }

    private func word(from start: Int) -> Range<Int> {
        start..<(bytes[start...].firstIndex { $0 <= 0x20 || "\"'`<>()[]{},;&\\".utf8.contains($0) } ?? bytes.count)
    }

    private func isToken(_ range: Range<Int>, minimumLength: Int) -> Bool {
        OpaqueText.isToken(String(decoding: bytes[range], as: UTF8.self), minimumLength: minimumLength)
    }

    private func isBearer(_ name: Range<Int>) -> Bool {
        (5...6).contains(name.count)
            && ["bearer", "basic"].contains(String(decoding: bytes[name], as: UTF8.self).lowercased())
    }

    // MARK: Lines

    /// The quotation mark, line feed or other byte before a name.
    private func byte(before name: Range<Int>) -> UInt8? {
        // Tools write markers before the lines of a head.
        bytes[max(0, name.lowerBound - 4)..<name.lowerBound].last { !" <>*\t".utf8.contains($0) }
    }

    private func begins(line name: Range<Int>) -> Bool {
        guard let byte = byte(before: name) else { return name.lowerBound <= 4 }
        return byte == 0x0A || byte == 0x0D || Self.isQuote(byte)
    }

    /// A line that begins after a quotation mark ends at the next one.
    private func end(ofLine name: Range<Int>, from start: Int) -> Int {
        let quote = byte(before: name).flatMap { Self.isQuote($0) ? $0 : nil }
        return bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D || $0 == quote } ?? bytes.count
    }

    private static func trimmed(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        range.lowerBound..<((bytes[range].lastIndex { $0 > 0x20 } ?? range.lowerBound - 1) + 1)
    }

    private static func nonempty(_ range: Range<Int>) -> Range<Int>? { range.isEmpty ? nil : range }

    // MARK: Bytes

    private static let longestName = 64
    /// The longest text between a name and its sign: a quotation mark, a bracket, blanks.
    private static let longestGap = 4
    /// One-word names that are header fields. Their values have several words.
    private static let fields: Set<String> = ["authorization", "cookie", "cookie2", "authentication"]
    /// Authentication schemes, and whether they have parameters.
    private static let schemes: [String: Bool] = [
        "bearer": false, "basic": false, "dpop": false, "token": false, "apikey": false, "negotiate": false,
        "ntlm": false, "digest": true, "hawk": true, "hmac": true, "signature": true, "aws4-hmac-sha256": true,
    ]

    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 || byte == 0x60 }

    private static func mayEndName(_ byte: UInt8) -> Bool { byte == 0x20 || isQuote(byte) || "]\\".utf8.contains(byte) }

    private static func mayBeginQuotes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "@") || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
