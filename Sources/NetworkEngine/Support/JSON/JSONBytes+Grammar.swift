extension JSONBytes {
    /// How long the escape is whose backslash is here: a surrogate pair as a whole; nothing where it is none.
    func lengthOfEscape(at start: Int) -> Int? {
        guard self[start + 1] == UInt8(ascii: "u") else { return Self.escaped(self[start + 1]) == nil ? nil : 2 }
        guard let unit = hexadecimal(at: start + 2) else { return nil }
        guard unit & 0xF800 == 0xD800 else { return 6 }
        guard unit < 0xDC00, self[start + 6] == UInt8(ascii: "\\"), self[start + 7] == UInt8(ascii: "u"),
            let second = hexadecimal(at: start + 8), second & 0xFC00 == 0xDC00
        else { return nil }
        return 12
    }

    /// The number of four hexadecimal digits.
    func hexadecimal(at start: Int) -> UInt16? {
        var unit: UInt16 = 0
        for index in start..<start + 4 {
            guard let digit = Self.hexadecimal(self[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt16? {
        switch byte {
        case 0x30...0x39: UInt16(byte - 0x30)
        case 0x41...0x46: UInt16(byte - 0x41 + 10)
        case 0x61...0x66: UInt16(byte - 0x61 + 10)
        default: nil
        }
    }

    /// What a character behind a backslash stands for.
    static func escaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// How many bytes the character has that begins here and is not ASCII; nothing where it is not right UTF-8.
    func lengthOfCharacter(at start: Int) -> Int? {
        let (first, second) = (self[start], self[start + 1])
        func follows(_ offset: Int) -> Bool { self[start + offset] & 0xC0 == 0x80 }
        switch first {
        case 0xC2...0xDF: return follows(1) ? 2 : nil
        case 0xE0: return second >= 0xA0 && follows(1) && follows(2) ? 3 : nil
        case 0xED: return second < 0xA0 && follows(1) && follows(2) ? 3 : nil
        case 0xE1...0xEF: return follows(1) && follows(2) ? 3 : nil
        case 0xF0: return second >= 0x90 && follows(1) && follows(2) && follows(3) ? 4 : nil
        case 0xF4: return second < 0x90 && follows(1) && follows(2) && follows(3) ? 4 : nil
        case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : nil
        default: return nil
        }
    }

    /// Where the number that begins here ends.
    func number(at start: Int) -> (end: Int, isFractional: Bool)? {
        var index = self[start] == UInt8(ascii: "-") ? start + 1 : start
        guard let whole = endOfDigits(at: index), self[index] != UInt8(ascii: "0") || whole == index + 1 else {
            return nil
        }
        index = whole
        var isFractional = false
        if self[index] == UInt8(ascii: ".") {
            guard let fraction = endOfDigits(at: index + 1) else { return nil }
            (index, isFractional) = (fraction, true)
        }
        if self[index] | 0x20 == UInt8(ascii: "e") {
            let hasSign = self[index + 1] == UInt8(ascii: "+") || self[index + 1] == UInt8(ascii: "-")
            guard let exponent = endOfDigits(at: hasSign ? index + 2 : index + 1) else { return nil }
            (index, isFractional) = (exponent, true)
        }
        return (index, isFractional)
    }

    /// Where the digits end, of which there is at least one.
    private func endOfDigits(at start: Int) -> Int? {
        var index = start
        while self[index] &- 0x30 < 10 { index += 1 }
        return index > start ? index : nil
    }
}
