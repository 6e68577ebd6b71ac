extension [UInt8] {
    /// Appends text with every byte outside the set as `%XX`.
    package mutating func append(percentEncoding text: String.UTF8View, keeping allowed: ASCIISet) {
        for byte in text {
            if allowed.contains(byte) { append(byte) } else { append(percentEncoded: byte) }
        }
    }

    /// Appends text like HTML forms: a space as a plus sign, and every byte outside the set as `%XX`.
    package mutating func append(formEncoding text: String.UTF8View, keeping allowed: ASCIISet = .unreserved) {
        for byte in text {
            if byte == UInt8(ascii: " ") {
                append(UInt8(ascii: "+"))
            } else if allowed.contains(byte) {
                append(byte)
            } else {
                append(percentEncoded: byte)
            }
        }
    }

    /// Appends part of a URL. Valid escapes are kept, and bytes outside the set are escaped.
    mutating func append(escaping text: ArraySlice<UInt8>, keeping allowed: ASCIISet) {
        for index in text.indices {
            let byte = text[index]
            let isKept =
                byte == UInt8(ascii: "%") ? text[(index + 1)...].beginsWithHexPair : allowed.contains(byte)
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

extension ArraySlice<UInt8> {
    var beginsWithHexPair: Bool { count >= 2 && prefix(2).allSatisfy(\.isHexDigit) }
}
