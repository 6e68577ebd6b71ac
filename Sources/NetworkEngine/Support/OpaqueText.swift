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

    /// Whether a segment of a path looks like a token: long, with lowercase letters, capitals and digits.
    ///
    /// UUIDs, numbers and hexadecimal digests do not count. They identify resources.
    package static func isTokenInPath(_ segment: some StringProtocol) -> Bool {
        guard isToken(segment, minimumLength: 32) else { return false }
        return segment.utf8.contains { (0x41...0x5A).contains($0) }
            && segment.utf8.contains { (0x61...0x7A).contains($0) }
    }

    /// The bytes without the JSON Web Tokens in them.
    package static func hidingWebTokens(in bytes: [UInt8]) -> [UInt8] {
        let ranges = webTokens(in: bytes)
        if ranges.isEmpty { return bytes }
        var result: [UInt8] = []
        var end = 0
        for range in ranges {
            result += bytes[end..<range.lowerBound]
            result += Redaction.placeholder.utf8
            end = range.upperBound
        }
        return result + bytes[end...]
    }

    package static func hidingWebTokens(in text: String) -> String {
        guard text.utf8.count >= minimumWebToken else { return text }
        let bytes = Array(text.utf8)
        let hidden = hidingWebTokens(in: bytes)
        return hidden.count == bytes.count ? text : String(decoding: hidden, as: UTF8.self)
    }

    /// The ranges of JSON Web Tokens, which begin with `eyJ` (`{"` in Base64) and have parts separated by dots.
    static func webTokens(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index + minimumWebToken <= bytes.count {
            guard bytes[index...].starts(with: "eyJ".utf8), index == 0 || !isBase64URL(bytes[index - 1]) else {
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

    private static let minimumWebToken = 20

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
