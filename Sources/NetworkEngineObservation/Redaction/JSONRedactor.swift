import Foundation
import NetworkEngine

/// Removes secrets from JSON by member name, and leaves every other byte unchanged.
///
/// Strings are replaced by the placeholder, numbers by zero; if the member is an object or array, all strings and
/// numbers in it are replaced. The JSON can be invalid: truncated text, several consecutive documents and JSON inside
/// other text are searched too, and so is JSON in string values. Unquoted names, texts in single quotes and comments,
/// as in JSON5, are also supported, and so are GraphQL block strings.
struct JSONRedactor {
    /// A text in the input that is not secret by its name.
    private struct Text {
        enum Kind {
            case literal(isClosed: Bool), inApostrophes, block, comment
        }

        let kind: Kind
        let range: Range<Int>
        /// The output index to insert it before.
        let position: Int
        /// Whether its label is secret. Its secrets can occur elsewhere, too.
        let isHidden: Bool
    }

    /// The removed strings, unescaped.
    private(set) var found: Set<String> = []
    private let isSecret: (String) -> Bool
    private let isSecretInside: (String) -> Bool
    /// Whether a string with this name is secret if it looks like a token.
    private let mayHoldToken: (String) -> Bool
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var position = 0
    private var depth = 0
    /// The depth of the container with secret contents.
    private var secretDepth: Int?
    private var (isNextSecret, isNextInsideSecret) = (false, false)
    private var mayNextBeToken = false
    /// Whether the next value is the label for its object's `value`.
    private var isNextLabel = false
    /// The depths of the objects with a secret `value`: `{"name": "password", "value": "x"}`.
    private var labeled: Set<Int> = []
    /// The depths of the objects with a `value` that was shown.
    private var shown: Set<Int> = []
    /// The positions of the open containers.
    private var starts: [Int] = []
    /// The positions of objects with a label after the `value`.
    private var lateLabels: Set<Int> = []
    /// The texts that are not secret by name, to be searched for documents and tokens.
    private var texts: [Text] = []
    /// Whether the next value, or the container with secret contents, is secret because of a label instead of its name.
    private var (isNextLabeled, isInsideLabeled) = (false, false)
    /// Whether the rest can contain the closing quotes of a block string.
    private var hasBlockEnd = true
    /// The number of JSON strings that enclose the document.
    private var level = 0
    /// The total length of embedded documents that may still be searched, across all levels.
    ///
    /// A text can be searched more than once, as JSON and as markup: at each level, this would double the time.
    var room = Int.max

    /// - Parameter isSecretInside: whether an object or array with this name is secret. Defaults to `isSecret`.
    init(
        isSecret: @escaping (String) -> Bool,
        isSecretInside: ((String) -> Bool)? = nil,
        mayHoldToken: @escaping (String) -> Bool = { _ in false }
    ) {
        self.mayHoldToken = mayHoldToken
        self.isSecret = isSecret
        self.isSecretInside = isSecretInside ?? isSecret
    }

    /// Returns a replacement for the text of a string that is not secret by name, or `nil`.
    typealias Rewrite = (_ text: String, _ room: inout Int) -> String?

    mutating func redact(_ data: Data, _ rewrite: Rewrite = { _, _ in nil }) -> Data {
        (input, lateLabels) = ([UInt8](data), [])
        read()
        // The texts are searched once, whether labels precede or follow their values. Searching twice at each level
        // would take exponential time.
        if !lateLabels.isEmpty { read() }
        return withTexts(rewrite)
    }

    /// Writes the output without the values that are secret by name, and finds the other texts.
    private mutating func read() {
        (output, position, depth, secretDepth, texts) = ([], 0, 0, nil, [])
        (isNextSecret, isNextLabel, labeled, shown, starts) = (false, false, [], [], [])
        (isNextLabeled, isInsideLabeled, hasBlockEnd) = (false, false, true)
        while position < input.count {
            let byte = input[position]
            switch byte {
            case UInt8(ascii: "\""): string()
            case UInt8(ascii: "'"): apostrophe()
            case UInt8(ascii: "/"): slash()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                starts.append(position)
                if isNextSecret, isNextInsideSecret, secretDepth == nil {
                    (secretDepth, isInsideLabeled) = (depth, isNextLabeled)
                }
                if lateLabels.contains(position) { labeled.insert(depth) }
                isNextSecret = false
                copy()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                isNextSecret = secretDepth == depth && isType(endingAt: position + 1)
                if secretDepth == depth { secretDepth = nil }
                labeled.remove(depth)
                shown.remove(depth)
                _ = starts.popLast()
                depth -= 1
                isNextLabel = false
                copy()
            case UInt8(ascii: "-"), 0x30...0x39: number()
            case let byte where Self.isInWord(byte): word()
            case UInt8(ascii: "\\") where input[position...].starts(with: #"\u"#.utf8): word()
            default: copy()
            }
        }
    }

    /// The output with the rewritten texts.
    private mutating func withTexts(_ rewrite: Rewrite) -> Data {
        var result: [UInt8] = []
        result.reserveCapacity(input.count)
        var end = 0
        for text in texts {
            result += output[end..<text.position]
            end = text.position
            let rewritten = rewritten(text, rewrite)
            if text.isHidden { continue }
            if let rewritten { result += rewritten } else { result += input[text.range] }
        }
        return Data(result + output[end...])
    }

    /// A replacement for a text; `nil` if it does not change.
    private mutating func rewritten(_ text: Text, _ rewrite: Rewrite) -> [UInt8]? {
        let written = input[text.range]
        switch text.kind {
        case .literal(let isClosed): return rewritten(written, isClosed: isClosed, rewrite)
        case .inApostrophes:
            let literal = Self.inDoubleQuotes(written.dropFirst().dropLast())
            return rewritten(literal, isClosed: true, rewrite)
        case .block:
            return rewrite(String(decoding: written, as: UTF8.self), &room).map { Array($0.utf8) }
        case .comment: return Array(document(written, rewrite))
        }
    }

    /// A document in a string or a comment, redacted.
    private mutating func document(_ data: some Sequence<UInt8>, _ rewrite: Rewrite) -> Data {
        var inner = JSONRedactor(isSecret: isSecret, isSecretInside: isSecretInside, mayHoldToken: mayHoldToken)
        let data = Data(data)
        (inner.level, inner.room) = (level + 1, room - data.count)
        // Deeper documents are neither searched nor shown.
        guard inner.room >= 0 else { return Data(Redaction.placeholder.utf8) }
        defer {
            room = inner.room
            found.formUnion(inner.found)
        }
        return inner.redact(data, rewrite)
    }

    private var hidesValue: Bool { isNextSecret || secretDepth != nil }

    private mutating func copy() {
        output.append(input[position])
        position += 1
    }

    /// A name if a colon follows, otherwise a value.
    private mutating func string() {
        let start = position
        if let end = endOfBlockString(from: start) { return blockString(to: end) }
        position += 1
        while position < input.count, input[position] != UInt8(ascii: "\"") {
            position += input[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let isClosed = position < input.count
        position = min(position + 1, input.count)
        let text = input[start..<position]
        if let colon = colon(behind: position) {
            return name(Self.plain(text), from: start, colon)
        }
        if mayNextBeToken, Self.isShortToken(Self.plain(text)) { isNextSecret = true }
        if hidesValue, !isLabel(text) {
            addHidden(.literal(isClosed: isClosed), start..<position)
            hide(text, behind: "\"\(Redaction.placeholder)\"")
        } else {
            value(text, .literal(isClosed: isClosed), start..<position)
        }
    }

    /// A text that is not secret by its name.
    private mutating func value(_ literal: ArraySlice<UInt8>, _ kind: Text.Kind, _ range: Range<Int>) {
        if isNextLabel { label(Self.plain(literal)) }
        add(kind, range)
        (isNextSecret, isNextLabel) = (false, false)
    }

    private mutating func add(_ kind: Text.Kind, _ range: Range<Int>, isHidden: Bool = false) {
        texts.append(Text(kind: kind, range: range, position: output.count, isHidden: isHidden))
    }

    private mutating func addHidden(_ kind: Text.Kind, _ range: Range<Int>) {
        if isNextSecret ? isNextLabeled : isInsideLabeled { add(kind, range, isHidden: true) }
    }

    /// Reads the label for the object's `value`, which can precede it.
    private mutating func label(_ text: String) {
        guard isSecret(text) else { return }
        labeled.insert(depth)
        if shown.contains(depth), let start = starts.last { lateLabels.insert(start) }
    }

    /// Whether a text with a secret name is only a label, such as the `key` in `{"key": "password", "value": "x"}`.
    private mutating func isLabel(_ literal: ArraySlice<UInt8>) -> Bool {
        guard isNextLabel, secretDepth == nil else { return false }
        let text = Self.plain(literal)
        label(text)
        return Redaction.isWordForSecret(text)
    }

    /// Whether the text ends a GraphQL variable's type that has a default: `$password: String! = "x"`.
    private func isType(endingAt end: Int) -> Bool {
        input[end...].prefix(8).first { !"!] \n".utf8.contains($0) } == UInt8(ascii: "=")
    }

    private static let blockQuotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
    private static let escapedBlockQuotes = [UInt8(ascii: "\\")] + blockQuotes

    private mutating func endOfBlockString(from start: Int) -> Int? {
        guard input[start...].starts(with: Self.blockQuotes) else { return nil }
        var index = start + 3
        while index < input.count, hasBlockEnd {
            if input[index...].starts(with: Self.blockQuotes) { return index + 3 }
            index += input[index...].starts(with: Self.escapedBlockQuotes) ? 4 : 1
        }
        // Not searched for again, because this would take quadratic time.
        hasBlockEnd = false
        // A truncated text ends within its secret.
        return hidesValue ? input.count : nil
    }

    private mutating func blockString(to end: Int) {
        let isClosed = end >= position + 6 && input[(end - 3)...].starts(with: Self.blockQuotes)
        let range = (position + 3)..<(isClosed ? end - 3 : end)
        if hidesValue {
            addHidden(.block, range)
            found.insert(String(decoding: input[range], as: UTF8.self))
            output += "\"\(Redaction.placeholder)\"".utf8
        } else {
            output += Self.blockQuotes
            add(.block, range)
            output += Self.blockQuotes
        }
        position = end
        (isNextSecret, isNextLabel) = (false, false)
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
        let lowercased = name.lowercased()
        let namesValue = Self.values.contains(lowercased)
        let isValue = namesValue && labeled.contains(depth)
        (isNextSecret, isNextInsideSecret) = (isValue || isSecret(name), isValue || isSecretInside(name))
        isNextLabeled = isValue
        mayNextBeToken = mayHoldToken(name)
        isNextLabel = Self.labels.contains(lowercased)
        if !isNextSecret, namesValue { shown.insert(depth) }
    }

    /// A literal, or a name without quotes.
    private mutating func word() {
        let start = position
        while position < input.count {
            if Self.isInWord(input[position]) || (0x30...0x39).contains(input[position]) {
                position += 1
            } else if input[position...].starts(with: #"\u"#.utf8) {
                position += 2
            } else {
                break
            }
        }
        if let colon = colon(behind: position) {
            name(Self.plain(Self.inDoubleQuotes(input[start..<position])), from: start, colon)
        } else {
            output += input[start..<position]
            isNextSecret = isNextSecret && isType(endingAt: position)
        }
    }

    /// A name or a value in single quotes. Anything else is copied, because the text may not be JSON.
    private mutating func apostrophe() {
        let start = position
        // After a backslash it does not begin a text: searching for the end of each would take quadratic time.
        guard start == 0 || input[start - 1] != UInt8(ascii: "\\") else { return copy() }
        var end = start + 1
        while end < input.count, input[end] != UInt8(ascii: "'") { end += input[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < input.count || hidesValue else { return copy() }
        let text = input[(start + 1)..<min(end, input.count)]
        let literal = Self.inDoubleQuotes(text)
        end = min(end + 1, input.count)
        if let colon = colon(behind: end), !text.contains(where: { "\"{}\r\n".utf8.contains($0) }) {
            name(Self.plain(literal), from: start, colon)
        } else if hidesValue, !isLabel(literal) {
            position = end
            if text.endIndex < input.count { addHidden(.inApostrophes, start..<end) }
            hide(literal, behind: "'\(Redaction.placeholder)'")
        } else if isValue(from: start, to: end), !text.contains(UInt8(ascii: "\n")) {
            position = end
            value(literal, .inApostrophes, start..<end)
        } else {
            copy()
        }
    }

    /// Whether a range is at the position of a value in an array or object.
    private func isValue(from start: Int, to end: Int) -> Bool {
        guard let before = input[..<start].last(where: { $0 > 0x20 }), ":[,".utf8.contains(before),
            let after = input[end...].first(where: { $0 > 0x20 })
        else { return false }
        return ",]}".utf8.contains(after)
    }

    /// A comment, which can contain a document. Outside documents a slash is an ordinary character.
    private mutating func slash() {
        let start = position + 2
        guard depth > 0, level < Self.levelLimit, start <= input.count, input[position - 1] != UInt8(ascii: ":") else {
            return copy()
        }
        var end = start
        if input[start - 1] == UInt8(ascii: "/") {
            end = input[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? input.count
        } else if input[start - 1] == UInt8(ascii: "*") {
            while end < input.count, !input[end...].starts(with: "*/".utf8) { end += 1 }
        } else {
            return copy()
        }
        output += input[position..<start]
        add(.comment, start..<end)
        position = end
    }

    private static let labels: Set<String> = ["name", "key", "id", "field", "label", "k", "header", "parameter"]
    private static let values: Set<String> = ["value", "content", "text", "data", "default", "v"]

    /// Redacts JSON in a string, or rewrites the text; `nil` if the string does not change.
    private mutating func rewritten(
        _ literal: ArraySlice<UInt8>, isClosed: Bool, _ rewrite: Rewrite
    ) -> [UInt8]? {
        guard literal.count > 4, let text = isClosed ? Self.plain(literal) : Self.plain(cut: literal) else {
            return nil
        }
        var changed = text
        if level < Self.levelLimit, Self.mayHaveDocument(text) {
            changed = String(decoding: document(text.utf8, rewrite), as: UTF8.self)
        }
        if level >= Self.levelLimit || !Self.isDocument(text) { changed = rewrite(changed, &room) ?? changed }
        if changed == text { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(changed)).map { [UInt8](isClosed ? $0 : $0.dropLast()) }
    }

    private static let levelLimit = 4

    private mutating func number() {
        let start = position
        if input[start] == 0x30, start + 1 < input.count, input[start + 1] | 0x20 == UInt8(ascii: "x") {
            position += 2
            while position < input.count, Self.isInWord(input[position]) || Self.isInNumber(input[position]) {
                position += 1
            }
        }
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
        (isNextSecret, isNextLabel) = (false, false)
    }
}
