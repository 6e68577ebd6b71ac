package import Foundation

extension Redaction {
    /// The URL without credentials, fragment, and possible secrets in its query and path.
    package static func describe(_ url: URL, hiding secrets: RequestSecrets? = nil) -> String {
        describe(address: url.absoluteString, hiding: secrets)
    }

    /// A URL or a reference for display.
    ///
    /// A query value is shown if its name is known to be harmless and the value is short.
    static func describe(address: String, hiding secrets: RequestSecrets? = nil) -> String {
        var parts = AddressText(address)
        parts.userinfo = nil
        parts.fragment = nil
        parts.path = describe(path: secrets?.scrub(parts.path) ?? parts.path)
        parts.query = parts.query.map { describe(query: $0, hiding: secrets) }
        return parts.text
    }

    /// A text for display, without the secrets in its URLs, tokens and known values.
    package static func describe(text: String, hiding secrets: RequestSecrets? = nil) -> String {
        let text = OpaqueText.hidingTokens(in: secrets?.scrub(text) ?? text)
        return AddressText.rewriting(addressesIn: text) { describe(address: $0, hiding: secrets) }
    }

    /// The start of a server's text, which can have any length, for an error.
    package static func shortened(_ text: String) -> String {
        // A single `Character` can also have any length.
        let start = text.unicodeScalars.prefix(1_000)
        return start.endIndex < text.endIndex ? String(start) + "…" : text
    }

    /// The value of a header with a harmless name, for display.
    static func describe(value: String, of header: String, hiding secrets: RequestSecrets? = nil) -> String {
        if isChallenge(header: header) {
            return describe(challenges: value) { describe(text: $0, hiding: secrets) }
        }
        let isAddress = ["location", "content-location", "referer", "origin"].contains(header.lowercased())
        return isAddress ? describe(address: value, hiding: secrets) : describe(text: value, hiding: secrets)
    }

    /// A path without tokens and without the values of secret parameters, such as `;jsessionid=`.
    package static func describe(path: String, placeholder: String = placeholder) -> String {
        // A short path has no room for a token.
        if path.utf8.count < OpaqueText.minimumWebToken, !path.utf8.contains(UInt8(ascii: ";")) { return path }
        return path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
            describe(segment: Substring(segment), placeholder)
        }.joined(separator: "/")
    }

    /// A path segment. A piece without `=` after a secret parameter can be the rest of its value.
    private static func describe(segment: Substring, _ placeholder: String) -> String {
        var isInSecret = false
        let pieces = segment.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        return pieces.map { bytes -> String in
            let piece = String(Substring(bytes))
            let equals = piece.utf8.firstIndex(of: UInt8(ascii: "="))
            if let equals { isInSecret = isSecret(parameter: String(piece[..<equals])) }
            guard isInSecret, !piece.isEmpty else { return describe(piece: piece, placeholder) }
            return (equals.map { String(piece[...$0]) } ?? "") + placeholder
        }.joined(separator: ";")
    }

    private static func describe(piece: String, _ placeholder: String) -> String {
        if OpaqueText.isTokenInPath(piece) { return placeholder }
        let hidden = OpaqueText.hidingTokens(in: piece)
        return placeholder == self.placeholder ? hidden : hidden.replacing(self.placeholder, with: placeholder)
    }

    private static func describe(query: String, hiding secrets: RequestSecrets?) -> String {
        AddressText.rewriting(items: query) { name, value in
            if let name {
                let isShown =
                    isHarmless(parameter: name) && !isSecret(parameter: name) && secrets?.names(name) != true
                    && secrets?.holds(value) != true && isPlain(value)
                return isShown || value.isEmpty ? nil : placeholder
            }
            return isPlain(value) && value.utf8.count <= 32 && !OpaqueText.isToken(value, minimumLength: 16)
                ? nil : placeholder
        }
    }

    private static func isPlain(_ value: String) -> Bool {
        value.utf8.count <= 64 && !OpaqueText.isToken(value, minimumLength: 32)
            && OpaqueText.hidingTokens(in: value) == value
            // A document contains names of secrets.
            && (!value.utf8.contains { "\"'{=".utf8.contains($0) } || !isSecret(parameter: value))
    }
}

/// Finds text that looks like a token: JSON Web Tokens, and long runs of letters and digits.
package enum OpaqueText {
    /// Whether a text without spaces looks like a token.
    ///
    /// A token has digits, unlike a word, and more than two letters, unlike a date.
    package static func isToken(_ text: some StringProtocol, minimumLength: Int = 20) -> Bool {
        var (count, letters, digits) = (0, 0, 0)
        for byte in text.utf8 {
            count += 1
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): letters += 1
            case _ where isPunctuation(byte): break
            default: return false
            }
        }
        return count >= minimumLength && digits > 0 && letters > 2
    }

    /// The indices in a word at which its rest looks like a token.
    package static func startsOfTokens(in word: ArraySlice<UInt8>, minimumLength: Int) -> Range<Int> {
        var (letters, digits) = (0, 0)
        var first = word.endIndex
        var end: Int?
        for index in word.indices.reversed() {
            switch word[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): letters += 1
            case let byte where isPunctuation(byte): break
            default: return (index + 1)..<(end ?? index + 1)
            }
            first = index
            if end == nil, word.endIndex - index >= minimumLength, digits > 0, letters > 2 { end = index + 1 }
        }
        return first..<(end ?? first)
    }

    /// Whether a path segment looks like a token: long, with lowercase letters, capitals and digits, or with 32
    /// consecutive letters and digits.
    ///
    /// UUIDs, numbers and titles with hyphens do not count. They identify resources.
    static func isTokenInPath(_ segment: some StringProtocol) -> Bool {
        guard isToken(segment, minimumLength: 32) else { return false }
        let hasCapital = segment.utf8.contains { (0x41...0x5A).contains($0) }
        if hasCapital, segment.utf8.contains(where: { (0x61...0x7A).contains($0) }) { return true }
        var (run, letters, digits) = (0, 0, 0)
        for byte in segment.utf8 {
            switch byte {
            case 0x30...0x39: (run, digits) = (run + 1, digits + 1)
            case 0x41...0x5A, 0x61...0x7A: (run, letters) = (run + 1, letters + 1)
            default: (run, letters, digits) = (0, 0, 0)
            }
            if run >= 32, letters > 1, digits > 1 { return true }
        }
        return false
    }

    /// The bytes with a placeholder for each JSON Web Token and each private key.
    package static func hidingTokens(in bytes: [UInt8]) -> [UInt8] {
        let ranges = (webTokens(in: bytes) + privateKeys(in: bytes)).sorted(byNumber: { $0.lowerBound })
        if ranges.isEmpty { return bytes }
        var result: [UInt8] = []
        var end = 0
        for range in ranges where range.lowerBound >= end {
            result += bytes[end..<range.lowerBound]
            result += Redaction.placeholder.utf8
            end = range.upperBound
        }
        return result + bytes[end...]
    }

    package static func hidingTokens(in text: String) -> String {
        guard text.utf8.count >= minimumWebToken else { return text }
        let bytes = Array(text.utf8)
        let hidden = hidingTokens(in: bytes)
        return hidden.count == bytes.count ? text : String(decoding: hidden, as: UTF8.self)
    }

    /// The ranges of JSON Web Tokens, which start with `eyJ` (`{"` in Base64) and have parts separated by dots.
    static func webTokens(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index + minimumWebToken <= bytes.count {
            guard bytes[index] == UInt8(ascii: "e"), bytes[index...].starts(with: "eyJ".utf8),
                index == 0 || !isBase64URL(bytes[index - 1])
            else {
                index += 1
                continue
            }
            var end = index
            var dots = 0
            while end < bytes.count, isBase64URL(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
                if bytes[end] == UInt8(ascii: ".") { dots += 1 }
                end += 1
            }
            if dots > 0, end - index >= minimumWebToken { found.append(index..<end) }
            index = max(end, index + 1)
        }
        return found
    }

    /// The ranges of private keys in PEM, between their first and last lines.
    static func privateKeys(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start: Int?
        for index in bytes.indices where bytes[index] == UInt8(ascii: "-") && bytes[index...].starts(with: dashes) {
            // In a row of dashes, the last five count.
            guard index + 5 >= bytes.count || bytes[index + 5] != UInt8(ascii: "-") else { continue }
            let line = bytes[(index + 5)...].prefix(48)
            let title = line.prefix { $0 != UInt8(ascii: "-") }
            if title.starts(with: "BEGIN ".utf8), title.suffix(11).elementsEqual("PRIVATE KEY".utf8) {
                start = start ?? min(title.endIndex + 5, bytes.count)
            } else if line.starts(with: "END ".utf8), let begin = start {
                if begin < index { found.append(begin..<index) }
                start = nil
            }
        }
        // A truncated text ends inside its key.
        if let start, start < bytes.count { found.append(start..<bytes.count) }
        return found
    }

    private static let dashes = Array("-----".utf8)
    static let minimumWebToken = 20

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool { "-_+/=.~:%".utf8.contains(byte) }
}
