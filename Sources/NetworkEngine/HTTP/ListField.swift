/// Splits list-based fields into members (RFC 9110, 5.6.1).
package enum ListField {
    /// The members of all lines of a field, without surrounding blanks. Empty members are omitted.
    ///
    /// A comma in a quoted string does not separate members. An unmatched quotation mark is an ordinary character, so
    /// that it cannot hide the members after it.
    package static func members(of lines: [String]) -> [String] {
        lines.flatMap { line in
            let bytes = Array(line.utf8)
            var members: [String] = []
            var start = 0
            var index = 0
            // Quotation marks after an unmatched one are unmatched, too, and are not searched again.
            var mayHaveStrings = true
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\"") where mayHaveStrings:
                    let end = endOfString(in: bytes, from: index)
                    mayHaveStrings = end != nil
                    index = end ?? index
                case UInt8(ascii: ","):
                    members.append(trimmed(bytes[start..<index]))
                    start = index + 1
                default: break
                }
                index += 1
            }
            members.append(trimmed(bytes[start...]))
            return members.filter { !$0.isEmpty }
        }
    }

    /// The content of a quoted string, without its escapes; `nil` for any other text.
    package static func unquoted(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "\""), bytes.count >= 2,
            endOfString(in: bytes, from: 0) == bytes.count - 1
        else { return nil }
        var rest = bytes[...]
        return rest.removeQuotedString().text
    }

    /// The index of the quotation mark that ends a string starting at an index.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { return index }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.trimmingBlanks, as: UTF8.self)
    }
}
