package import Foundation
import NetworkEngine

/// Removes secrets from JSON by the names of members, and leaves every other byte unchanged.
///
/// Strings become the placeholder, numbers zero; a member that is an object or array loses all strings and numbers in
/// it. The JSON can be invalid: truncated text, several documents in a row and JSON inside other text are searched too,
/// and so is JSON in string values. Names without quotes and texts in single quotes, as in JSON5, count too.
package struct JSONRedactor {
    /// The strings that were taken out, as they read.
    package private(set) var found: Set<String> = []
    private let isSecret: (String) -> Bool
    private let isSecretInside: (String) -> Bool
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var position = 0
    private var depth = 0
    /// The depth of the container with secret contents.
    private var secretDepth: Int?
    private var isNextSecret = false
    private var isNextInsideSecret = false
    /// Whether the next value names what the `value` of its object is.
    private var isNextLabel = false
    /// The depths of the objects whose `value` is secret: `{"name": "password", "value": "x"}`.
    private var labeled: Set<Int> = []
    /// The number of JSON strings that enclose the document.
    private var level = 0

    /// - Parameter isSecretInside: whether an object or array of this name is secret. Defaults to `isSecret`.
    package init(isSecret: @escaping (String) -> Bool, isSecretInside: ((String) -> Bool)? = nil) {
        self.isSecret = isSecret
        self.isSecretInside = isSecretInside ?? isSecret
    }

    /// - Parameter rewrite: returns a replacement for the text of a string that is not secret by name, or `nil`.
    package mutating func redact(_ data: Data, _ rewrite: (String) -> String? = { _ in nil }) -> Data {
        (input, output, position, depth, secretDepth, isNextSecret) = ([UInt8](data), [], 0, 0, nil, false)
        while position < input.count {
            let byte = input[position]
            switch byte {
            case UInt8(ascii: "\""): string(rewrite)
            case UInt8(ascii: "'"): apostrophe()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if isNextSecret, isNextInsideSecret, secretDepth == nil { secretDepth = depth }
                isNextSecret = false
                copy()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if secretDepth == depth { secretDepth = nil }
                labeled.remove(depth)
                depth -= 1
                (isNextSecret, isNextLabel) = (false, false)
                copy()
            case UInt8(ascii: "-"), 0x30...0x39: number()
            case let byte where Self.isInWord(byte): word()
            default: copy()
            }
        }
        return Data(output)
    }

    private var hidesValue: Bool { isNextSecret || secretDepth != nil }

    private mutating func copy() {
        output.append(input[position])
        position += 1
    }

    /// A name, when a colon follows, or a value.
    private mutating func string(_ rewrite: (String) -> String?) {
        let start = position
        position += 1
        while position < input.count, input[position] != UInt8(ascii: "\"") {
            position += input[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let isClosed = position < input.count
        position = min(position + 1, input.count)
        let text = input[start..<position]
        if let colon = colon(behind: position) {
            name(Self.plain(text), from: start, colon)
        } else if hidesValue {
            hide(text, behind: "\"\(Redaction.placeholder)\"")
        } else {
            if isNextLabel, isSecret(Self.plain(text)) { labeled.insert(depth) }
            output += rewritten(text, isClosed: isClosed, rewrite) ?? Array(text)
            isNextSecret = false
        }
        if input[position - 1] != UInt8(ascii: ":") { isNextLabel = false }
    }

    /// The index of the colon that follows after white space.
    private func colon(behind position: Int) -> Int? {
        var next = position
        while next < input.count, [0x20, 0x09, 0x0A, 0x0D].contains(input[next]) { next += 1 }
        return next < input.count && input[next] == UInt8(ascii: ":") ? next : nil
    }

    /// Copies a name with its colon.
    private mutating func name(_ name: String, from start: Int, _ colon: Int) {
        output += input[start...colon]
        position = colon + 1
        let isValue = labeled.contains(depth) && Self.values.contains(name.lowercased())
        (isNextSecret, isNextInsideSecret) = (isValue || isSecret(name), isValue || isSecretInside(name))
        isNextLabel = Self.labels.contains(name.lowercased())
    }

    /// A literal, or a name without quotes.
    private mutating func word() {
        let start = position
        while position < input.count, Self.isInWord(input[position]) || (0x30...0x39).contains(input[position]) {
            position += 1
        }
        if let colon = colon(behind: position) {
            name(String(decoding: input[start..<position], as: UTF8.self), from: start, colon)
        } else {
            output += input[start..<position]
            isNextSecret = false
        }
    }

    /// A name or a secret value in single quotes. Anything else is copied: the text may be no JSON.
    private mutating func apostrophe() {
        let start = position
        // Behind a backslash it begins no text: searching for the end of each would take the square of the length.
        guard start == 0 || input[start - 1] != UInt8(ascii: "\\") else { return copy() }
        var end = start + 1
        while end < input.count, input[end] != UInt8(ascii: "'") { end += input[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < input.count || hidesValue else { return copy() }
        let text = input[(start + 1)..<min(end, input.count)]
        end = min(end + 1, input.count)
        if let colon = colon(behind: end) {
            name(String(decoding: text, as: UTF8.self), from: start, colon)
        } else if hidesValue {
            position = end
            hide(text, behind: "'\(Redaction.placeholder)'")
        } else {
            copy()
        }
    }

    private static let labels: Set<String> = ["name", "key", "id", "field", "label"]
    private static let values: Set<String> = ["value", "content", "text", "data", "default"]

    /// Redacts JSON in a string, or rewrites the text; `nil` when the string does not change.
    private mutating func rewritten(
        _ literal: ArraySlice<UInt8>, isClosed: Bool, _ rewrite: (String) -> String?
    ) -> [UInt8]? {
        guard literal.count > 4, let text = isClosed ? Self.plain(literal) : Self.plain(cut: literal) else {
            return nil
        }
        var changed = text
        if level < Self.levelLimit, let first = text.utf8.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        {
            var inner = JSONRedactor(isSecret: isSecret, isSecretInside: isSecretInside)
            inner.level = level + 1
            changed = String(decoding: inner.redact(Data(text.utf8), rewrite), as: UTF8.self)
            found.formUnion(inner.found)
        } else {
            changed = rewrite(text) ?? text
        }
        if changed == text { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(changed)).map { [UInt8](isClosed ? $0 : $0.dropLast()) }
    }

    private static let levelLimit = 4

    private mutating func number() {
        let start = position
        while position < input.count, Self.isInNumber(input[position]) { position += 1 }
        hide(input[start..<position], behind: "0")
    }

    private mutating func hide(_ text: ArraySlice<UInt8>, behind replacement: String) {
        if hidesValue {
            output += replacement.utf8
            found.insert(Self.plain(text))
        } else {
            output += text
        }
        isNextSecret = false
    }

    private static func isInNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }

    /// What the start of a literal reads as, without an escape that is cut.
    private static func plain(cut literal: ArraySlice<UInt8>) -> String? {
        for length in 0...min(6, literal.count) {
            let closed = Data(literal.dropLast(length)) + Data("\"".utf8)
            if let text = try? JSONDecoder().decode(String.self, from: closed) { return text }
        }
        return nil
    }

    /// What a literal reads as.
    private static func plain(_ literal: ArraySlice<UInt8>) -> String {
        let quote = UInt8(ascii: "\"")
        if literal.count >= 2, literal.first == quote, literal.last == quote, !literal.contains(UInt8(ascii: "\\")) {
            return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
        }
        if let text = try? JSONDecoder().decode(String.self, from: Data(literal)) { return text }
        return String(decoding: literal.drop { $0 == UInt8(ascii: "\"") }, as: UTF8.self)
    }
}
