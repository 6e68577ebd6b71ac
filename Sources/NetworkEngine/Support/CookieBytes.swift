/// Represents cookie bytes that are not UTF-8 as text: each non-ASCII byte becomes a private-use character, so that the
/// same bytes can be sent back.
package enum CookieBytes {
    /// The character of byte 0. Only the characters of non-ASCII bytes are used: U+F780 to U+F7FF.
    private static let base: UInt32 = 0xF700

    /// Whether the text would be sent as different bytes, because it contains one of the private-use characters.
    package static func hasPrivate(_ text: String) -> Bool {
        text.utf8.contains(0xEF) && text.unicodeScalars.contains { byte(of: $0) != nil }
    }

    /// Converts bytes to text.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(
            String.UnicodeScalarView(
                bytes.lazy.map { byte in
                    byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(base + UInt32(byte)) ?? Unicode.Scalar(byte)
                }))
    }

    /// Converts text to bytes. Other characters become UTF-8.
    package static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.reduce(into: []) { bytes, scalar in
            if let byte = byte(of: scalar) { bytes.append(byte) } else { bytes += UTF8.encode(scalar) ?? .init() }
        }
    }

    private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
    }
}
