extension JSONBytes {
    /// The text of a string with escapes, which the scanner has found right.
    func unescaped(_ content: Range<Int>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var index = content.lowerBound
        while index < content.upperBound {
            let byte = self[index]
            if byte != UInt8(ascii: "\\") {
                text.append(byte)
                index += 1
            } else if let escaped = Self.escaped(self[index + 1]) {
                text.append(escaped)
                index += 2
            } else {
                let scalar = scalar(at: index)
                scalar.value.withUTF8 { text.append($0) }
                index += scalar.length
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a `\u` here stands for, with the second half of a pair.
    private func scalar(at start: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(hexadecimal(at: start + 2) ?? 0xFFFD)
        guard first & 0xF800 == 0xD800 else { return (first, 6) }
        let second = UInt32(hexadecimal(at: start + 8) ?? 0xDC00)
        return (0x10000 + (first & 0x3FF) << 10 + second & 0x3FF, 12)
    }
}

extension UInt32 {
    /// The bytes of a character with this number, one after the other.
    fileprivate func withUTF8(_ body: (UInt8) -> Void) {
        func follow(_ shift: UInt32) { body(UInt8(truncatingIfNeeded: 0x80 | self >> shift & 0x3F)) }
        switch self {
        case ..<0x80: body(UInt8(truncatingIfNeeded: self))
        case ..<0x800:
            body(UInt8(truncatingIfNeeded: 0xC0 | self >> 6))
            follow(0)
        case ..<0x10000:
            body(UInt8(truncatingIfNeeded: 0xE0 | self >> 12))
            follow(6)
            follow(0)
        default:
            body(UInt8(truncatingIfNeeded: 0xF0 | self >> 18))
            follow(12)
            follow(6)
            follow(0)
        }
    }
}
