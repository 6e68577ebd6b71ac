/// Quotes text for a shell.
enum ShellText {
    /// The text as one word: in quotes, or in `$'…'` if it has control characters, which a terminal would change.
    static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
        var result = "$'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\\": result += "\\\\"
            case "'": result += "\\'"
            // Interactive shells replace it by a former command.
            case "!": result += "\\x21"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += "\\x" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }

    /// The text as it is, if it has only letters, digits, `-` and `_`.
    static func quoted(_ text: String, ifNeeded: Bool) -> String {
        let isPlain = text.utf8.allSatisfy { ASCIISet.lettersAndDigits.contains($0) || "-_".utf8.contains($0) }
        return ifNeeded && isPlain && !text.isEmpty ? text : quoted(text)
    }
}
