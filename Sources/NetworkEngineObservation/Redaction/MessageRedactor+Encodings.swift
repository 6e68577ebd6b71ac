import Foundation
import NetworkEngine

/// Bodies that are not UTF-8, or that begin with a byte order mark.
extension MessageRedactor {
    /// A body without its secrets, in its original encoding.
    mutating func redact(encodedText body: Data, type: String, essence: String, isAnswer: Bool) -> Data {
        if body.starts(with: Self.byteOrderMark) {
            let rest = Data(body.dropFirst(Self.byteOrderMark.count))
            return Data(Self.byteOrderMark) + redact(narrowText: rest, essence: essence, isAnswer: isAnswer)
        }
        // A digit is faster to find than a name, and few content types contain this one.
        let isDeclared = type.utf8.contains(UInt8(ascii: "6")) && type.lowercased().contains("utf-16")
        if let wide = WideText(body, isDeclared: isDeclared) {
            let plain = Data(wide.text.utf8)
            let redacted = redact(plainText: plain, essence: essence, isAnswer: isAnswer)
            return redacted == plain ? body : wide.bytes(of: String(decoding: redacted, as: UTF8.self))
        }
        return redact(narrowText: body, essence: essence, isAnswer: isAnswer)
    }

    private mutating func redact(narrowText body: Data, essence: String, isAnswer: Bool) -> Data {
        if String(data: body, encoding: .utf8) != nil {
            return redact(plainText: body, essence: essence, isAnswer: isAnswer)
        }
        return redact(otherText: body, essence: essence, isAnswer: isAnswer)
    }

    /// Text that is not UTF-8, one character for each byte. The names of secrets are ASCII.
    private mutating func redact(otherText body: Data, essence: String, isAnswer: Bool) -> Data {
        let isText =
            essence.hasPrefix("text/") || essence == "application/x-www-form-urlencoded"
            || ["json", "xml"].contains { essence.hasSuffix($0) }
        guard isText || Self.tables.contains(essence) || Self.looksLikeText(body),
            let text = String(data: body, encoding: .isoLatin1)
        else { return body }
        let redacted = redact(plainText: Data(text.utf8), essence: essence, isAnswer: isAnswer)
        return String(decoding: redacted, as: UTF8.self).data(using: .isoLatin1, allowLossyConversion: true) ?? Data()
    }

    /// Whether bytes have no control characters, or, if they begin like JSON or XML, only a few at the start.
    ///
    /// In other data, a tenth of all bytes are control characters.
    private static func looksLikeText(_ body: Data) -> Bool {
        let isControl = { (byte: UInt8) in byte < 0x20 && !isBlank(byte) || byte == 0x7F }
        let first = body.first { !isBlank($0) } ?? 0
        guard "{[<".utf8.contains(first) else { return !body.contains(where: isControl) }
        let beginning = body.prefix(4_096)
        return beginning.count(where: isControl) * 64 <= beginning.count
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
