import NetworkEngine

/// Quotes text for any POSIX shell.
///
/// Quotes are found by scalars: a combining mark after a quote makes both one `Character`.
enum ShellText {
    /// The text as one word.
    ///
    /// Single quotes hold everything but a quote. A control character is written by `printf`, because a terminal acts on it
    /// when a command is pasted. A line break stays.
    static func quoted(_ text: String) -> String {
        var result = "'".unicodeScalars
        var controls: [UInt8] = []
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                controls += Array(String(scalar).utf8)
                continue
            }
            result += written(&controls)
            if scalar == "'" { result += #"'\''"#.unicodeScalars } else { result.append(scalar) }
        }
        return String(result + written(&controls) + "'".unicodeScalars)
    }

    /// The bytes as the output of a command between quotes, which drops line breaks only.
    private static func written(_ bytes: inout [UInt8]) -> String.UnicodeScalarView {
        if bytes.isEmpty { return "".unicodeScalars }
        defer { bytes = [] }
        let digits = bytes.map { byte in
            let octal = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
        }
        return "'\"$(printf '\(digits.joined())')\"'".unicodeScalars
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n"
    }

    /// The text as it is, if it has only letters, digits, `-` and `_`.
    static func quoted(_ text: String, ifNeeded: Bool) -> String {
        let isPlain = text.utf8.allSatisfy { ASCIISet.lettersAndDigits.contains($0) || "-_".utf8.contains($0) }
        return ifNeeded && isPlain && !text.isEmpty ? text : quoted(text)
    }
}
