import NetworkEngine

/// Splits a command into words like a shell. Expansions and control operators are errors.
///
/// Reads scalars, because a combining mark after a quote makes both one `Character`.
struct ShellWords {
    private var rest: Substring.UnicodeScalarView
    private var words: [String] = []
    /// The bytes of the word so far. `\x` can write part of a character.
    private var word: [UInt8]?

    static func split(_ command: String) throws(NetworkError) -> [String] {
        var splitter = ShellWords(rest: command[...].unicodeScalars)
        try splitter.run()
        return splitter.words
    }

    private init(rest: Substring.UnicodeScalarView) { self.rest = rest }

    private mutating func run() throws(NetworkError) {
        while let scalar = rest.popFirst() {
            switch scalar {
            case " ", "\t", "\n", "\r": end()
            case "'": try single()
            case "\"": try double()
            case "$" where rest.first == "'":
                rest.removeFirst()
                try dollarQuoted()
            case "\\": if !continueLine() { append(rest.popFirst()) }
            case "#" where word == nil: rest = rest.drop { $0 != "\n" && $0 != "\r" }
            case "|", ";", "<", ">", "&", "`", "(", ")": throw Self.refused(scalar)
            case "$" where rest.first.map(Self.beginsExpansion) == true: throw Self.refused(scalar)
            default: append(scalar)
            }
        }
        end()
    }

    private mutating func append(_ scalar: Unicode.Scalar?) {
        if let scalar { word = (word ?? []) + Array(String(scalar).utf8) }
    }

    private mutating func end() {
        if let word { words.append(String(decoding: word, as: UTF8.self)) }
        word = nil
    }

    /// Removes a line break after a backslash.
    private mutating func continueLine() -> Bool {
        guard rest.first == "\n" || rest.first == "\r" else { return false }
        if rest.popFirst() == "\r", rest.first == "\n" { rest.removeFirst() }
        return true
    }

    private mutating func single() throws(NetworkError) {
        word = word ?? []
        while let scalar = rest.popFirst() {
            if scalar == "'" { return }
            append(scalar)
        }
        throw Self.unclosed
    }

    private mutating func double() throws(NetworkError) {
        word = word ?? []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return
            case "\\":
                if continueLine() { continue }
                let next = rest.popFirst()
                if let next, !["\"", "\\", "$", "`"].contains(next) { append(scalar) }
                append(next)
            case "`": throw Self.refused(scalar)
            case "$" where rest.starts(with: Self.printf): try printed()
            case "$" where rest.first.map(Self.beginsExpansion) == true: throw Self.refused(scalar)
            default: append(scalar)
            }
        }
        throw Self.unclosed
    }

    private static let printf = "(printf '".unicodeScalars

    /// Reads `$(printf '\001')`, which this package writes for control characters.
    private mutating func printed() throws(NetworkError) {
        rest = rest.dropFirst(Self.printf.count)
        while rest.popFirst() == "\\" {
            let digits = rest.prefix(3)
            guard digits.count == 3, let byte = UInt8(String(digits), radix: 8) else { throw Self.refused("$") }
            rest = rest.dropFirst(3)
            word = (word ?? []) + [byte]
        }
        guard rest.popFirst() == ")" else { throw Self.refused("$") }
    }

    /// Reads `$'…'`, which browsers use for text with quotes or line breaks.
    private mutating func dollarQuoted() throws(NetworkError) {
        word = word ?? []
        while let scalar = rest.popFirst() {
            if scalar == "'" { return }
            guard scalar == "\\" else {
                append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "n": append("\n")
            case "r": append("\r")
            case "t": append("\t")
            case "x": word = (word ?? []) + [UInt8(truncatingIfNeeded: number(digits: 2) ?? 0x3F)]
            case "u": append(number(digits: 4).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
            case "U": append(number(digits: 8).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
            case let other: append(other)
            }
        }
        throw Self.unclosed
    }

    private mutating func number(digits: Int) -> UInt32? {
        let text = rest.prefix(digits).prefix { $0.properties.isASCIIHexDigit }
        rest = rest.dropFirst(text.count)
        return UInt32(String(text), radix: 16)
    }

    private static func beginsExpansion(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || ["_", "{", "(", "?", "@", "*", "#", "!", "$"].contains(scalar)
    }

    private static func refused(_ scalar: Unicode.Scalar) -> NetworkError {
        .curl("has an unquoted \(String(scalar).debugDescription), which only a shell can carry out")
    }

    private static let unclosed = NetworkError.curl("has a quote that is not closed")
}

extension NetworkError {
    /// The error for an invalid cURL command.
    static func curl(_ fault: String, kind: NetworkErrorKind = .invalidRequest) -> NetworkError {
        NetworkError(kind: kind, reason: "the cURL command \(fault)")
    }
}
