import Foundation
import NetworkEngine

/// Bodies with related lines.
extension MessageRedactor {
    /// The content types of tables.
    static let tables: Set<String> = [
        "text/csv", "text/comma-separated-values", "text/tab-separated-values", "application/csv",
    ]

    /// A UTF-8 body without the secrets named in other lines; any other body unchanged.
    mutating func redact(linesOf body: Data, essence: String, isAnswer: Bool) -> Data {
        if essence == "text/event-stream" {
            return Data(redact(events: String(decoding: body, as: UTF8.self), isAnswer: isAnswer).utf8)
        }
        guard Self.tables.contains(essence) else { return body }
        let rules = rules
        var redactor = TableRedactor(isTabbed: essence == "text/tab-separated-values") {
            isAnswer ? rules.isSecretInAnswer($0) : rules.isSecret(parameter: $0)
        }
        let redacted = redactor.redact(body)
        secrets.formUnion(redactor.found)
        return redacted
    }

    /// Redacts the text of each event with several data lines, which a reader joins.
    private mutating func redact(events text: String, isAnswer: Bool) -> String {
        guard level < Self.levelLimit else { return Redaction.placeholder }
        level += 1
        defer { level -= 1 }
        var output = ""
        var event: [EventLine] = []
        var lines = EventLine.all(in: text)[...]
        while let line = lines.popFirst() {
            event.append(line)
            guard line.text.isEmpty || lines.isEmpty else { continue }
            output += redact(event: event, isAnswer: isAnswer).map { $0.text + $0.end }.joined()
            event = []
        }
        return output
    }

    private mutating func redact(event: [EventLine], isAnswer: Bool) -> [EventLine] {
        let data = event.compactMap(\.data)
        guard data.count > 1 else { return event }
        let joined = Data(data.joined(separator: "\n").utf8)
        let redacted = redact(body: joined, type: nil, isAnswer: isAnswer)
        if redacted == joined { return event }
        let texts = String(decoding: redacted, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        var rest = texts[...]
        // The text can have fewer lines than before.
        return event.compactMap { line in
            line.data == nil ? line : rest.popFirst().map { line.replacing(data: String($0)) }
        }
    }
}

/// A line in an event stream.
private struct EventLine {
    let text: String
    /// The line break; empty at the end of the text.
    let end: String

    static func all(in text: String) -> [EventLine] {
        var lines: [EventLine] = []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != "\n" && $0 != "\r" }
            let breaks = rest[line.endIndex...].prefix(2)
            let end = breaks.elementsEqual(["\r", "\n"]) ? breaks : breaks.prefix(1)
            lines.append(EventLine(text: String(line), end: String(end)))
            rest = rest[end.endIndex...]
        }
        return lines
    }

    /// The text of a data line; `nil` for other lines.
    var data: String? {
        let line = text.unicodeScalars.drop { $0 == Self.byteOrderMark }
        if line.elementsEqual("data".unicodeScalars) { return "" }
        guard line.starts(with: "data:".unicodeScalars) else { return nil }
        let value = line.dropFirst(5)
        return String(value.first == " " ? value.dropFirst() : value)
    }

    func replacing(data: String) -> EventLine {
        guard data != self.data else { return self }
        let isSpaced = text.unicodeScalars.drop { $0 != ":" }.dropFirst().first == " "
        let mark = text.unicodeScalars.first == Self.byteOrderMark ? String(Self.byteOrderMark) : ""
        return EventLine(text: mark + (isSpaced ? "data: " : "data:") + data, end: end)
    }

    private static let byteOrderMark: Unicode.Scalar = "\u{FEFF}"
}
