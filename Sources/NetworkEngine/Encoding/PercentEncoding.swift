/// A set of ASCII characters, as two words of bits.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: StaticString) {
        characters.withUTF8Buffer { bytes in
            for byte in bytes { insert(byte) }
        }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low & (1 << UInt64(byte)) != 0
        case 64..<128: high & (1 << UInt64(byte - 64)) != 0
        default: false
        }
    }

    /// What RFC 3986 never gives a meaning: safe in any name and value.
    static let unreserved = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    /// What may stand in a path, slashes included.
    static let path = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/")
    /// What may stand in a query.
    static let query = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?")
}

extension [UInt8] {
    /// Appends text with every byte outside of the set as `%XX`.
    mutating func append(percentEncoding text: some Sequence<UInt8>, keeping allowed: ASCIISet) {
        for byte in text {
            if allowed.contains(byte) { append(byte) } else { append(percentEncoded: byte) }
        }
    }

    /// Appends text as forms do: a space is a plus sign, and what is not unreserved `%XX`.
    mutating func append(formEncoding text: some Sequence<UInt8>) {
        for byte in text {
            if byte == UInt8(ascii: " ") {
                append(UInt8(ascii: "+"))
            } else if ASCIISet.unreserved.contains(byte) {
                append(byte)
            } else {
                append(percentEncoded: byte)
            }
        }
    }

    /// Appends part of an address: what is `%XX` already stays, and only what may not stand there is escaped.
    mutating func append(escaping text: Substring.UTF8View, keeping allowed: ASCIISet) {
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index = text.index(after: index)
            let isKept = byte == UInt8(ascii: "%") ? text[index...].prefix(2).isHexPair : allowed.contains(byte)
            if isKept { append(byte) } else { append(percentEncoded: byte) }
        }
    }

    mutating func append(percentEncoded byte: UInt8) {
        append(UInt8(ascii: "%"))
        append((byte >> 4).hexDigit)
        append((byte & 0x0F).hexDigit)
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }

    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        case UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}

extension Substring.UTF8View {
    fileprivate var isHexPair: Bool { count == 2 && allSatisfy(\.isHexDigit) }
}
