import NetworkEngine

/// Quotes text for any POSIX shell.
///
/// Quotes are found by scalars: a combining mark after a quote makes both one `Character`.
enum ShellText {
    /// The text as one word.
    ///
    /// Everything except a quote can be written in single quotes. Control characters are written with `printf`, because
    /// a terminal acts on them when you paste a command. Line breaks are unchanged.
    static func quoted(_ text: String) -> String {
        var result: [UInt8] = [quote]
        result.reserveCapacity(text.utf8.count + 2)
        var controls: [UInt8] = []
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                controls += scalar.utf8
                continue
            }
            write(&controls, to: &result)
            if scalar == "'" { result += #"'\''"#.utf8 } else { result += scalar.utf8 }
        }
        write(&controls, to: &result)
        result.append(quote)
        return String(decoding: result, as: UTF8.self)
    }

    private static let quote = UInt8(ascii: "'")

    /// Writes bytes as the output of a quoted command substitution, which drops only trailing line breaks.
    private static func write(_ bytes: inout [UInt8], to result: inout [UInt8]) {
        if bytes.isEmpty { return }
        result += "'\"$(printf '".utf8
        for byte in bytes {
            let octal = String(byte, radix: 8)
            result += ("\\" + String(repeating: "0", count: 3 - octal.count) + octal).utf8
        }
        result += "')\"'".utf8
        bytes = []
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n"
    }

    /// The unquoted text, if it has only letters, digits, `-` and `_`.
    static func quoted(_ text: String, ifNeeded: Bool) -> String {
        let isPlain = text.utf8.allSatisfy { ASCIISet.lettersAndDigits.contains($0) || "-_".utf8.contains($0) }
        return ifNeeded && isPlain && !text.isEmpty ? text : quoted(text)
    }
}
