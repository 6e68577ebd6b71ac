import Foundation
import NetworkEngine

/// Removes secrets from XML and HTML: by the names of elements and attributes, and by the value of a `name` attribute.
///
/// The document need not be valid: truncated documents and unclosed elements are searched too.
struct MarkupRedactor {
    /// The removed texts, without entities.
    private(set) var found: Set<String> = []
    private let isSecret: (String) -> Bool
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var position = 0
    /// The names of the open elements, and whether each is secret.
    private var open: [(name: String, isSecret: Bool)] = []
    /// Whether the previous element names the next one secret: `<key>password</key><string>…`.
    private var isNextSecret = false

    init(isSecret: @escaping (String) -> Bool) { self.isSecret = isSecret }

    /// - Parameter rewrite: returns a replacement for a text that is not secret by name, or `nil`.
    mutating func redact(_ text: String, _ rewrite: (String) -> String?) -> String {
        (input, output, position, open, isNextSecret) = (Array(text.utf8), [], 0, [], false)
        while position < input.count {
            if input[position] != UInt8(ascii: "<") {
                self.text(upTo: input[position...].firstIndex(of: UInt8(ascii: "<")) ?? input.count, rewrite)
            } else if begins("<![CDATA[") {
                copy(upTo: position + 9)
                self.text(upTo: index(of: "]]>"), rewrite)
            } else if begins("<!--") {
                copy(upTo: end(behind: "-->"))
            } else if begins("<!") || begins("<?") {
                copy(upTo: end(behind: ">"))
            } else if begins("</") {
                closingTag()
            } else {
                openingTag()
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private var isInSecret: Bool { open.last?.isSecret == true }

    private mutating func text(upTo end: Int, _ rewrite: (String) -> String?) {
        let text = String(decoding: input[position..<end], as: UTF8.self)
        let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if plain.isEmpty || plain == Redaction.placeholder || plain == "]]>" { return copy(upTo: end) }
        if isInSecret {
            found.insert(plain.undoingEntities)
            // An angle bracket would begin an element.
            output += text.replacing(plain, with: Self.placeholder).utf8
        } else {
            if let name = open.last?.name, ["key", "name"].contains(name.lowercased()) {
                isNextSecret = isSecret(plain)
            }
            output += (rewrite(text) ?? text).utf8
        }
        position = end
    }

    private mutating func closingTag() {
        let start = position + 2
        copy(upTo: end(behind: ">"))
        let name = Self.localName(input[start..<position])
        guard let index = open.lastIndex(where: { $0.name == name }) else { return }
        open.removeLast(open.count - index)
    }

    private mutating func openingTag() {
        let start = position
        let end = end(behind: ">", outsideQuotes: true)
        let name = Self.localName(input[(start + 1)..<end])
        let attributes = Self.attributes(in: input[start..<end])
        let callsSecret = attributes.contains { attribute in
            ["name", "id", "key"].contains(attribute.name.lowercased()) && isSecret(attribute.value)
        }
        // These elements name the next one and are not secret themselves.
        let isLabel = ["key", "name"].contains(name.lowercased())
        let isElementSecret = isInSecret || callsSecret || (!isLabel && (isNextSecret || isSecret(name)))
        if !isLabel { isNextSecret = false }
        for attribute in attributes {
            let isValue = callsSecret && ["value", "content"].contains(attribute.name.lowercased())
            guard isInSecret || isValue || isSecret(attribute.name), !attribute.value.isEmpty else { continue }
            copy(upTo: attribute.range.lowerBound)
            if attribute.value != Self.placeholder { found.insert(attribute.value.undoingEntities) }
            output += Self.placeholder.utf8
            position = attribute.range.upperBound
        }
        copy(upTo: end)
        let isClosed = input[start..<end].suffix(2).first == UInt8(ascii: "/") || Self.empty.contains(name.lowercased())
        if !isClosed, open.count < Self.depthLimit { open.append((name, isElementSecret)) }
    }

    private mutating func copy(upTo end: Int) {
        guard end > position else { return }
        output += input[position..<end]
        position = end
    }

    private func begins(_ text: String) -> Bool { input[position...].starts(with: text.utf8) }

    private func index(of text: String) -> Int {
        var index = position
        while index < input.count, !input[index...].starts(with: text.utf8) { index += 1 }
        return index
    }

    private func end(behind text: String, outsideQuotes: Bool = false) -> Int {
        guard outsideQuotes else { return min(index(of: text) + text.utf8.count, input.count) }
        var quote: UInt8?
        for index in position..<input.count {
            switch input[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = input[index] } else if quote == input[index] { quote = nil }
            case UInt8(ascii: ">") where quote == nil: return index + 1
            default: break
            }
        }
        return input.count
    }

    /// As it may stand in a document.
    static let placeholder = "&lt;redacted&gt;"
    private static let depthLimit = 512
    /// The elements of HTML that are never closed.
    private static let empty: Set<String> = ["input", "meta", "link", "br", "img", "hr", "area", "base", "col", "wbr"]
}

extension MarkupRedactor {
    /// The name that a tag begins with, without the prefix of its namespace.
    private static func localName(_ tag: ArraySlice<UInt8>) -> String {
        let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    /// The attributes of a tag, each with the range of its value without quotes.
    private static func attributes(in tag: ArraySlice<UInt8>) -> [(name: String, value: String, range: Range<Int>)] {
        var found: [(name: String, value: String, range: Range<Int>)] = []
        var rest = tag
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = rest[..<equals].reversed().drop { $0 <= 0x20 }.prefix { $0 > 0x20 }.reversed()
            var start = rest[(equals + 1)...].firstIndex { $0 > 0x20 } ?? rest.endIndex
            guard start < rest.endIndex else { break }
            let quote = rest[start]
            let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            if isQuoted { start += 1 }
            let end =
                rest[start...].firstIndex {
                    isQuoted ? $0 == quote : $0 <= 0x20 || $0 == UInt8(ascii: ">")
                } ?? rest.endIndex
            let value = String(decoding: rest[start..<end], as: UTF8.self)
            found.append((localName(Array(name)[...]), value, start..<end))
            rest = rest[min(end + 1, rest.endIndex)...]
        }
        return found
    }
}

extension String {
    /// The text as it reads.
    fileprivate var undoingEntities: String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(self) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
