import Foundation
import NetworkEngine

extension MessageRedactor {
    /// The bytes of a body without its secrets, in the original content coding.
    ///
    /// A body in a coding that cannot be undone is not searched.
    mutating func redact(body: Data, type: String?, coding: String? = nil, isAnswer: Bool = false) -> Data {
        BodyCoding.rewriting(body, coding: coding) { redact(plainBody: $0, type: type ?? "", isAnswer: isAnswer) }
    }

    private mutating func redact(plainBody body: Data, type: String, isAnswer: Bool) -> Data {
        if level == 0 { room = Self.room(for: body.count) }
        let essence = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        if essence.hasPrefix("multipart/"), let boundary = Self.boundary(in: type) {
            // Deeper bodies are neither searched nor shown.
            guard level < Self.levelLimit else { return Data(Redaction.placeholder.utf8) }
            level += 1
            defer { level -= 1 }
            return redact(parts: body, boundary: boundary, isAnswer: isAnswer)
        }
        return redact(encodedText: body, type: type, essence: essence, isAnswer: isAnswer)
    }

    /// A UTF-8 body without its secrets.
    mutating func redact(plainText body: Data, essence: String, isAnswer: Bool) -> Data {
        let body = redact(linesOf: body, essence: essence, isAnswer: isAnswer)
        let text = String(data: body, encoding: .utf8) ?? ""
        let isUnknown = essence.isEmpty || essence == "application/octet-stream"
        if essence == "application/x-www-form-urlencoded" || (isUnknown && Self.isForm(text)) {
            let form = redact(form: text)
            // Tools also send JSON as a form, and forms can contain JSON with unescaped separators.
            return form.utf8.contains(UInt8(ascii: "\"")) ? redact(json: Data(form.utf8)) : Data(form.utf8)
        }
        let first = body.first { $0 > 0x20 }
        let isXML = essence.hasSuffix("/xml") || essence.hasSuffix("+xml") || essence == "text/html"
        let isMarkup = isXML || (essence.isEmpty && first == UInt8(ascii: "<"))
        if isMarkup { return Data(redact(markup: text, isAnswer: isAnswer).utf8) }
        // Servers send XML and JSON with any content type.
        let document = first == UInt8(ascii: "<") ? Data(redact(markup: text, isAnswer: isAnswer).utf8) : body
        let redacted = redact(json: document, isAnswer: isAnswer)
        let isText =
            isUnknown || essence.hasPrefix("text/") || essence == "application/jwt" || essence.hasSuffix("yaml")
        if JSONRedactor.isDocument(text) || essence.hasSuffix("json") {
            return Data(OpaqueText.hidingTokens(in: [UInt8](redacted)))
        }
        let rest = String(decoding: redacted, as: UTF8.self)
        guard isText else { return Data((rewrite(text: rest) ?? rest).utf8) }
        let hidesOpaqueWords = essence == "text/plain"
        return Data(redact(lines: rest, hidesOpaqueWords: hidesOpaqueWords).utf8)
    }

    static let levelLimit = 8

    /// The length of embedded documents to search: a multiple of the text's length, to allow for nesting.
    static func room(for length: Int) -> Int { 16 * length + (1 << 16) }

    /// Whether a text is a form: items with a name, an equals sign and a value, without blanks.
    private static func isForm(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, !"{[<=&".utf8.contains(first) else { return false }
            return bytes.contains(UInt8(ascii: "=")) && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x22 }
        }
    }

    mutating func redact(json body: Data, isAnswer: Bool = false) -> Data {
        guard body.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "\"") }) else { return body }
        let rules = rules
        var redactor = JSONRedactor(
            isSecret: { isAnswer ? rules.isSecretInAnswer($0) : rules.isSecret(parameter: $0) },
            isSecretInside: { rules.isSecretInside($0) },
            mayHoldToken: { rules.mayHoldToken($0) }
        )
        redactor.room = room
        let redacted = redactor.redact(body) { text, room in
            self.room = room
            defer { room = self.room }
            return rewrite(text: text)
        }
        room = redactor.room
        secrets.formUnion(redactor.found)
        return redacted
    }

    mutating func redact(markup text: String, isAnswer: Bool = false) -> String {
        let rules = rules
        var redactor = MarkupRedactor { rules.isSecret(parameter: $0) }
        let redacted = redactor.redact(text) { rewrite(document: $0, isAnswer: isAnswer) }
        secrets.formUnion(redactor.found)
        return redacted
    }

    private mutating func redact(lines text: String, hidesOpaqueWords: Bool) -> String {
        let rules = rules
        var redactor = TextRedactor(hidesOpaqueWords: hidesOpaqueWords) { rules.isSecret(parameter: $0) }
        let redacted = redactor.redact(text)
        secrets.formUnion(redactor.found)
        return rewrite(text: redacted) ?? redacted
    }

    // MARK: Parts

    private static func boundary(in type: String) -> String? {
        LinkParser.named(in: type).first?.parameters["boundary"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Lines can end in a line feed alone, which form readers accept.
    private mutating func redact(parts body: Data, boundary: String, isAnswer: Bool) -> Data {
        let (first, next) = (Data("--\(boundary)".utf8), Data("\n--\(boundary)".utf8))
        var redacted = Data()
        var rest = body[...]
        var start: Range<Data.Index>? =
            rest.starts(with: first) ? rest.startIndex..<(rest.startIndex + first.count) : rest.range(of: next)
        while let delimiter = start {
            redacted += redact(outsideParts: rest[..<delimiter.lowerBound], isAnswer: isAnswer)
            redacted += rest[delimiter]
            rest = rest[delimiter.upperBound...]
            // A truncated body ends in its last part.
            start = rest.range(of: next)
            var end = start?.lowerBound ?? rest.endIndex
            if end > rest.startIndex, end < rest.endIndex, rest[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            // Searches only this part: searching the rest of the body for each part would take quadratic time.
            let heads = ["\r\n\r\n", "\n\n", "\n\r\n"].compactMap { rest[..<end].range(of: Data($0.utf8)) }
            guard let head = heads.min(by: { $0.lowerBound < $1.lowerBound }) else { continue }
            let lines = String(decoding: rest[..<head.lowerBound], as: UTF8.self)
            let content = Data(rest[head.upperBound..<end])
            let fields = HTTPHeaders(lines: [UInt8](rest[..<head.lowerBound]))
            redacted += redact(head: lines) ?? rest[..<head.lowerBound]
            redacted += rest[head]
            if Self.names(of: fields["Content-Disposition"] ?? "").contains(where: { rules.isSecret(parameter: $0) }) {
                secrets.insert(String(decoding: content, as: UTF8.self))
                redacted += Data(Redaction.placeholder.utf8)
            } else {
                redacted += redact(body: content, type: fields["Content-Type"])
            }
            rest = rest[end...]
        }
        return redacted + redact(outsideParts: rest, isAnswer: isAnswer)
    }

    /// The text before, between and after the parts; the whole body if it lacks the boundary in its content type.
    private mutating func redact(outsideParts text: Data, isAnswer: Bool) -> Data {
        if text.allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: "-") }) { return text }
        return redact(body: Data(text), type: nil, isAnswer: isAnswer)
    }

    /// The names of a part, plain and with a character set: `name*=utf-8''a`.
    private static func names(of disposition: String) -> [String] {
        // A comma without quotes ends an element, but not the field.
        LinkParser.named(in: disposition).flatMap { element -> [String] in
            let extended = element.parameters["name*"]?.split(separator: "'", omittingEmptySubsequences: false).last
            let name = extended.map { String($0).removingPercentEncoding ?? String($0) }
            return [element.parameters["name"], name].compactMap(\.self)
        }
    }

    /// The head of a part without the values of secret fields; `nil` if it has none.
    private mutating func redact(head: String) -> Data? {
        var hasSecrets = false
        // "\r\n" is one `Character`.
        let lines = head.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let redacted = lines.map { line -> String in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, rules.isSecret(header: parts[0].trimmingCharacters(in: .whitespaces)) else {
                return line
            }
            hasSecrets = true
            secrets.insert(parts[1].trimmingCharacters(in: .whitespacesAndNewlines))
            return "\(parts[0]): \(Redaction.placeholder)" + (line.utf8.last == 0x0D ? "\r" : "")
        }
        return hasSecrets ? Data(redacted.joined(separator: "\n").utf8) : nil
    }
}
