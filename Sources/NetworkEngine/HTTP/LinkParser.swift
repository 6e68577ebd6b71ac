/// Parses the value of a `Link` header (RFC 8288, 3), and of headers with names instead of references.
///
/// Works on bytes, because a separator with a combining mark is a single `Character`.
package struct LinkParser {
    package struct Value: Hashable {
        package let reference: String
        /// The parameters by lowercase name. According to RFC 8288 only the first one with a name counts.
        package var parameters: [String: String] = [:]
    }

    private var rest: ArraySlice<UInt8>
    /// The end of the last reference. The text after it is not searched for another end.
    private let lastEnd: Int

    private init(_ header: String) {
        rest = Array(header.utf8)[...]
        lastEnd = rest.lastIndex(of: UInt8(ascii: ">")) ?? -1
    }

    /// The links in a header. Text that is not a link is skipped up to the next comma.
    static func values(in header: String) -> [Value] {
        var parser = LinkParser(header)
        var values: [Value] = []
        while !parser.rest.isEmpty {
            if let value = parser.value() { values.append(value) }
            parser.skipElement()
        }
        return values
    }

    /// The elements of a header that consist of a name and parameters. The names become the references.
    package static func named(in header: String) -> [Value] {
        var parser = LinkParser(header)
        var values: [Value] = []
        while !parser.rest.isEmpty {
            parser.rest.removeBlanks()
            var value = Value(reference: parser.token(endingAt: ";,"))
            parser.addParameters(to: &value)
            if !value.reference.isEmpty { values.append(value) }
            parser.skipElement()
        }
        return values
    }

    private mutating func value() -> Value? {
        rest.removeBlanks()
        guard rest.first == UInt8(ascii: "<"), rest.startIndex < lastEnd,
            let end = rest.firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        var value = Value(reference: Self.text(rest[(rest.startIndex + 1)..<end]))
        rest = rest[(end + 1)...]
        addParameters(to: &value)
        return value
    }

    private mutating func addParameters(to value: inout Value) {
        rest.removeBlanks()
        while rest.first == UInt8(ascii: ";") {
            rest.removeFirst()
            rest.removeBlanks()
            let (name, text) = parameter()
            if !name.isEmpty, value.parameters[name] == nil { value.parameters[name] = text }
            rest.removeBlanks()
        }
    }

    private mutating func parameter() -> (name: String, value: String) {
        let name = token(endingAt: "=;,").lowercased()
        guard rest.first == UInt8(ascii: "=") else { return (name, "") }
        rest.removeFirst()
        rest.removeBlanks()
        return (name, rest.first == UInt8(ascii: "\"") ? rest.removeQuotedString().text : token(endingAt: ";,"))
    }

    /// Removes the text up to a delimiter and returns it without surrounding blanks.
    private mutating func token(endingAt delimiters: StaticString) -> String {
        let token = delimiters.withUTF8Buffer { delimiters in rest.prefix { !delimiters.contains($0) } }
        rest = rest[token.endIndex...]
        return Self.text(token.trimmingBlanks)
    }

    /// Removes everything up to and including the next comma outside of quotes.
    private mutating func skipElement() {
        while let byte = rest.first, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") { _ = rest.removeQuotedString() } else { rest.removeFirst() }
        }
        rest = rest.dropFirst()
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
