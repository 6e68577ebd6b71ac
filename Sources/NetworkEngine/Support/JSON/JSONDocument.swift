import Foundation

/// A JSON text that was read, and what decoding its values needs to know.
///
/// What it cannot decode in the one way in which the platform decodes it, it marks: then the platform is asked for the
/// whole.
final class JSONDocument {
    let tokens: [JSONToken]
    let bytes: [UInt8]
    /// The decoder whose strategies hold.
    let platform: JSONDecoder
    let names: JSONNameStyle
    private(set) lazy var dates = platform.dateDecodingStrategy
    /// Whether something came up that the platform has to decide.
    private(set) var isUnsure = false

    init?(_ data: Data, platform: JSONDecoder, names: JSONNameStyle) {
        let bytes = data.withUnsafeBytes { [UInt8]($0) }
        guard let tokens = bytes.withUnsafeBufferPointer(JSONScanner.tokens) else { return nil }
        self.tokens = tokens
        self.bytes = bytes
        self.platform = platform
        self.names = names
    }

    /// The error for what the platform has to decide.
    ///
    /// A type may catch it and go on; the mark stays.
    func unsure() -> DecodingError {
        isUnsure = true
        return DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The platform decides."))
    }

    /// The index of a null that is not part of the text.
    var null: Int { tokens.count - 1 }

    func kind(of index: Int) -> JSONToken.Kind { tokens[index].kind }

    /// The string of a token that is one.
    func text(of token: JSONToken) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            guard token.trait != .escaped else { return JSONBytes(bytes).unescaped(token.content) }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[token.content]), as: UTF8.self)
        }
    }
}

extension JSONBytes {
    /// The text of a string with escapes.
    fileprivate func unescaped(_ content: Range<Int>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var index = content.lowerBound
        while index < content.upperBound {
            guard self[index] == UInt8(ascii: "\\") else {
                text.append(self[index])
                index += 1
                continue
            }
            if let byte = Self.escaped(self[index + 1]) {
                text.append(byte)
                index += 2
            } else {
                let length = lengthOfEscape(at: index) ?? 6
                let units = [hexadecimal(at: index + 2), length == 12 ? hexadecimal(at: index + 8) : nil]
                text.append(contentsOf: String(decoding: units.compactMap(\.self), as: UTF16.self).utf8)
                index += length
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
