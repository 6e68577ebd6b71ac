/// Splits a command into words as a shell does. Expansions and control operators are errors.
struct ShellWords {
    private var rest: Substring
    private var words: [String] = []
    private var word: String?

    static func split(_ command: String) throws(NetworkError) -> [String] {
        var splitter = ShellWords(rest: command[...])
        try splitter.run()
        return splitter.words
    }

    private init(rest: Substring) { self.rest = rest }

    private mutating func run() throws(NetworkError) {
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\n", "\r\n", "\r": end()
            case "'": try single()
            case "\"": try double()
            case "$" where rest.first == "'":
                rest.removeFirst()
                try dollarQuoted()
            case "\\":
                if rest.first?.isNewline == true { rest.removeFirst() } else { append(rest.popFirst()) }
            case "#" where word == nil: rest = rest.drop { !$0.isNewline }
            case "|", ";", "<", ">", "&", "`", "(", ")": throw Self.refused(character)
            case "$" where rest.first.map(Self.beginsExpansion) == true: throw Self.refused(character)
            default: append(character)
            }
        }
        end()
    }

    private mutating func append(_ character: Character?) {
        if let character { word = (word ?? "") + String(character) }
    }

    private mutating func end() {
        if let word { words.append(word) }
        word = nil
    }

    private mutating func single() throws(NetworkError) {
        word = word ?? ""
        while let character = rest.popFirst() {
            if character == "'" { return }
            append(character)
        }
        throw Self.unclosed
    }

    private mutating func double() throws(NetworkError) {
        word = word ?? ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return
            case "\\":
                let next = rest.popFirst()
                if next?.isNewline == true { continue }
                if let next, !"\"\\$`".contains(next) { append(character) }
                append(next)
            case "`": throw Self.refused(character)
            case "$" where rest.first.map(Self.beginsExpansion) == true: throw Self.refused(character)
            default: append(character)
            }
        }
        throw Self.unclosed
    }

    /// Reads `$'…'`, which browsers use for text with quotes or line breaks.
    private mutating func dollarQuoted() throws(NetworkError) {
        word = word ?? ""
        while let character = rest.popFirst() {
            if character == "'" { return }
            guard character == "\\" else {
                append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": append("\n")
            case "r": append("\r")
            case "t": append("\t")
            case "x": append(scalar(digits: 2))
            case "u": append(scalar(digits: 4))
            case "U": append(scalar(digits: 8))
            case let other: append(other)
            }
        }
        throw Self.unclosed
    }

    private mutating func scalar(digits: Int) -> Character {
        let text = rest.prefix(digits).prefix { $0.isHexDigit }
        rest = rest.dropFirst(text.count)
        return UInt32(text, radix: 16).flatMap(Unicode.Scalar.init).map(Character.init) ?? "\u{FFFD}"
    }

    private static func beginsExpansion(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_{(?@*#!$".contains(character)
    }

    private static func refused(_ character: Character) -> NetworkError {
        .curl("has an unquoted \(String(character).debugDescription), which only a shell can carry out")
    }

    private static let unclosed = NetworkError.curl("has a quote that is not closed")
}

extension NetworkError {
    /// The error for an invalid cURL command.
    static func curl(_ fault: String, kind: NetworkErrorKind = .invalidRequest) -> NetworkError {
        NetworkError(kind: kind, reason: "the cURL command \(fault)")
    }
}
