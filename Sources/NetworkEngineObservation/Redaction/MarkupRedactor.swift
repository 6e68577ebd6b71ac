import Foundation
import NetworkEngine

/// Removes secrets from XML and HTML: by the names of elements and attributes, and by the value of a `name` attribute.
///
/// The document can be invalid: truncated documents and unclosed elements are searched too.
struct MarkupRedactor {
    /// The removed texts, without entities.
    private(set) var found: Set<String> = []
    private let isSecret: (String) -> Bool
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var position = 0
    /// The names of the open elements, and whether each is secret.
    private var open: [(name: String, isSecret: Bool)] = []
    /// The positions of the open elements by name, so that a closing tag finds the last one immediately.
    private var places: [String: [Int]] = [:]
    /// Whether elements are nested deeper than the limit. All values inside are hidden.
    private var isTooDeep = false
    /// The names of the script elements without a closing tag.
    private var unclosed: Set<String> = []
    /// Whether the previous element makes the next one secret: `<key>password</key><string>…`.
    private var isNextSecret = false

    init(isSecret: @escaping (String) -> Bool) { self.isSecret = isSecret }

    /// - Parameter rewrite: returns a replacement for a text that is not secret by name, or `nil`.
    mutating func redact(_ text: String, _ rewrite: (String) -> String?) -> String {
        (input, output, position, open, isNextSecret) = (Array(text.utf8), [], 0, [], false)
        (unclosed, places, isTooDeep) = ([], [:], false)
        while position < input.count {
            if input[position] != UInt8(ascii: "<") {
                self.text(upTo: input[position...].firstIndex(of: UInt8(ascii: "<")) ?? input.count, rewrite)
            } else if begins("<![CDATA[") {
                copy(upTo: position + 9)
                self.text(upTo: index(of: "]]>"), rewrite)
            } else if begins("<!--") {
                copy(upTo: position + 4)
                comment(upTo: index(of: "-->"), rewrite)
            } else if begins("<!") || begins("<?") {
                copy(upTo: end(behind: ">"))
            } else if begins("</") {
                closingTag()
            } else {
                openingTag(rewrite)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private var isInSecret: Bool { open.last?.isSecret == true }
    private var hidesValue: Bool { isInSecret || isTooDeep }

    private mutating func text(upTo end: Int, _ rewrite: (String) -> String?) {
        let text = String(decoding: input[position..<end], as: UTF8.self)
        let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if plain.isEmpty || plain == Redaction.placeholder || plain == "]]>" { return copy(upTo: end) }
        if hidesValue {
            // Other texts are not searched for elsewhere.
            if isInSecret { found.insert(MarkupText(plain).plain) }
            // An angle bracket would start an element.
            output += text.replacing(plain, with: MarkupText.placeholder).utf8
        } else {
            if let name = open.last?.name, ["key", "name"].contains(name.lowercased()) {
                isNextSecret = isSecret(plain)
            }
            output += (rewritten(text, rewrite) ?? text).utf8
        }
        position = end
    }

    private mutating func comment(upTo end: Int, _ rewrite: (String) -> String?) {
        let text = String(decoding: input[position..<end], as: UTF8.self)
        output += (rewrite(text) ?? text).utf8
        position = end
    }

    /// A replacement for a text, which can contain entities.
    private func rewritten(_ text: String, _ rewrite: (String) -> String?) -> String? {
        if text.utf8.contains(UInt8(ascii: "&")) { return Self.rewritten(text, rewrite) }
        // An angle bracket would start an element.
        return rewrite(text)?.replacing(Redaction.placeholder, with: MarkupText.placeholder)
    }

    private static func rewritten(_ text: String, _ rewrite: (String) -> String?) -> String? {
        let text = MarkupText(text)
        return rewrite(text.plain).map { text.rewritten(as: $0) }
    }

    /// The text of a script or style, where only the closing tag is markup. XML can have elements inside.
    private mutating func script(_ name: String, _ rewrite: (String) -> String?) {
        guard !unclosed.contains(name), input[position...].first(where: { $0 > 0x20 }) != UInt8(ascii: "<"),
            !hidesValue
        else { return }
        var end = position
        while end < input.count, input[end] != UInt8(ascii: "<") || !closes(name, at: end) { end += 1 }
        // Not searched for again without a closing tag, because this would take quadratic time.
        guard end < input.count else {
            unclosed.insert(name)
            return
        }
        let text = String(decoding: input[position..<end], as: UTF8.self)
        output += (rewrite(text) ?? text).utf8
        position = end
    }

    /// Whether the element's closing tag is at an index, with any prefix and ignoring case.
    private func closes(_ name: String, at index: Int) -> Bool {
        let tag = input[index...].prefix(64)
        guard tag.dropFirst().first == UInt8(ascii: "/") else { return false }
        return Self.localName(tag.dropFirst(2)).lowercased() == name
    }

    private mutating func closingTag() {
        let start = position + 2
        copy(upTo: end(behind: ">"))
        let name = Self.localName(input[start..<position])
        if let index = places[name]?.last { close(from: index) }
    }

    private mutating func openingTag(_ rewrite: (String) -> String?) {
        let start = position
        let end = end(behind: ">", outsideQuotes: true)
        let name = Self.localName(input[(start + 1)..<end])
        let attributes = Self.attributes(in: input[start..<end])
        let callsSecret = attributes.contains { attribute in
            Self.labels.contains(attribute.name.lowercased()) && isSecret(attribute.value)
                || attribute.name.lowercased() == "type" && attribute.value.lowercased() == "password"
        }
        // These elements label the next one and are not secret themselves.
        let isLabel = ["key", "name"].contains(name.lowercased())
        let isElementSecret = isInSecret || callsSecret || (!isLabel && (isNextSecret || isSecret(name)))
        if !isLabel { isNextSecret = false }
        for attribute in attributes {
            let isValue = callsSecret && ["value", "content"].contains(attribute.name.lowercased())
            let isKnown = isInSecret || isValue || isSecret(attribute.name)
            let isHidden = isKnown || isTooDeep
            let rewritten = isHidden ? MarkupText.placeholder : Self.rewritten(attribute.value, rewrite)
            guard let rewritten, !attribute.value.isEmpty else { continue }
            copy(upTo: attribute.range.lowerBound)
            if isKnown, attribute.value != rewritten { found.insert(MarkupText(attribute.value).plain) }
            output += rewritten.utf8
            position = attribute.range.upperBound
        }
        copy(upTo: end)
        let isClosed = input[start..<end].suffix(2).first == UInt8(ascii: "/") || Self.empty.contains(name.lowercased())
        if !isClosed { push(name, isSecret: isElementSecret) }
        if !isClosed, Self.scripts.contains(name.lowercased()) { script(name.lowercased(), rewrite) }
    }

    private mutating func push(_ name: String, isSecret: Bool) {
        closeElements(before: name.lowercased())
        if open.count == Self.openLimit {
            isTooDeep = true
            close(from: open.count - 1)
        }
        places[name, default: []].append(open.count)
        open.append((name, isSecret))
    }

    /// Closes an element and its descendants.
    private mutating func close(from index: Int) {
        for (name, _) in open[index...] {
            if places[name]?.count == 1 { places[name] = nil } else { places[name]?.removeLast() }
        }
        open.removeLast(open.count - index)
    }

    /// Closes the elements that an opening tag closes implicitly in HTML: `<li>` closes the preceding `<li>`.
    ///
    /// Elements within a secret remain open.
    private mutating func closeElements(before name: String) {
        guard Self.implicitlyClosed.contains(name) else { return }
        var index = open.endIndex
        while index > 0, !open[index - 1].isSecret {
            index -= 1
            let openName = open[index].name.lowercased()
            if openName == name { return close(from: index) }
            if !Self.implicitlyClosed.contains(openName) { return }
        }
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

    /// The attributes that label their element's value.
    private static let labels: Set<String> = ["name", "id", "key", "property"]
    /// The maximum number of open elements to remember: a short body can decompress to millions.
    private static let openLimit = 1 << 16
    private static let scripts: Set<String> = ["script", "style"]
    /// The HTML elements with optional closing tags.
    private static let implicitlyClosed: Set<String> = [
        "li", "p", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "rt", "rp",
    ]
    /// The HTML elements that are never closed.
    private static let empty: Set<String> = ["input", "meta", "link", "br", "img", "hr", "area", "base", "col", "wbr"]
}

extension MarkupRedactor {
    /// The tag's name, without its namespace prefix.
    private static func localName(_ tag: ArraySlice<UInt8>) -> String {
        let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    /// A tag's attributes, each with the range of its unquoted value.
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
