import Foundation

/// The bytes of a JSON text. Reading past the end returns NUL, so no index is out of bounds.
struct JSONBytes {
    private let base: UnsafeBufferPointer<UInt8>
    let count: Int

    init(_ base: UnsafeBufferPointer<UInt8>) {
        self.base = base
        count = base.count
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        UInt(bitPattern: index) < UInt(bitPattern: count) ? base[index] : 0
    }

    /// The bytes of a range, limited to the text.
    subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: base[range.clamped(to: 0..<count)])
    }

    /// A number that distinguishes most names: the length and three bytes.
    @inline(__always)
    func mark(of name: Range<Int>) -> UInt32 {
        let length = name.count
        guard length > 0 else { return 0 }
        let (first, middle, last) = (
            self[name.lowerBound], self[name.lowerBound + length / 2], self[name.upperBound - 1]
        )
        return UInt32(truncatingIfNeeded: length) << 24 | UInt32(first) << 16 | UInt32(middle) << 8 | UInt32(last)
    }

    /// Whether a range contains the bytes of another text.
    @inline(__always)
    func hasSameBytes(_ range: Range<Int>, as other: UnsafeBufferPointer<UInt8>) -> Bool {
        let own = self[range]
        guard own.count == other.count, let start = own.baseAddress, let otherStart = other.baseAddress else {
            return own.isEmpty && other.isEmpty
        }
        return memcmp(start, otherStart, own.count) == 0
    }

    /// The index of the first byte at or after `start` that is not white space.
    @inline(__always)
    func endOfSpace(from start: Int) -> Int {
        var index = start
        while true {
            let byte = self[index]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return index }
            index += 1
        }
    }

    /// The index of the first byte at or after `start` that is not printable ASCII, or is a quotation mark or a
    /// backslash.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        while let word = word(at: index) {
            let found = Self.special(in: word)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while true {
            let byte = self[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte >= 0x80 { return index }
            index += 1
        }
    }

    /// Eight bytes, the first in the lowest position; `nil` if fewer bytes are left.
    @inline(__always)
    func word(at index: Int) -> UInt64? {
        guard index >= 0, index &+ 8 <= count, let address = base.baseAddress else { return nil }
        return UInt64(littleEndian: UnsafeRawPointer(address).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Sets the high bit of each byte that ends plain text. Only the lowest set bit is reliable.
    @inline(__always)
    private static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let control = (word &- ones &* 0x20) & ~word
        let secrets = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        return (word | control | secrets) & (ones &* 0x80)
    }
}

// Grammar.
extension JSONBytes {
    /// The length of the escape sequence at `start`, with both halves of a surrogate pair; `nil` if it is invalid.
    func lengthOfEscape(at start: Int) -> Int? {
        guard self[start + 1] == UInt8(ascii: "u") else { return Self.escaped(self[start + 1]) == nil ? nil : 2 }
        guard let unit = hexadecimal(at: start + 2) else { return nil }
        guard unit & 0xF800 == 0xD800 else { return 6 }
        guard unit < 0xDC00, self[start + 6] == UInt8(ascii: "\\"), self[start + 7] == UInt8(ascii: "u"),
            let second = hexadecimal(at: start + 8), second & 0xFC00 == 0xDC00
        else { return nil }
        return 12
    }

    /// The value of four hexadecimal digits.
    private func hexadecimal(at start: Int) -> UInt16? {
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

    /// The character that a letter after a backslash denotes.
    private static func escaped(_ byte: UInt8) -> UInt8? {
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

    /// The number of bytes of the non-ASCII character at `start`; `nil` for invalid UTF-8.
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

    /// The end of the number at `start`.
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

    /// The maximum number of digits that always fit into an `Int`.
    @inline(__always)
    static var digitsOfInt: Int { Int.bitWidth == 64 ? 18 : 9 }

    /// The value of at most `digitsOfInt` digits and a sign.
    @inline(__always)
    func integer(_ content: Range<Int>) -> Int {
        let isNegative = self[content.lowerBound] == UInt8(ascii: "-")
        var (value, index) = (0, isNegative ? content.lowerBound + 1 : content.lowerBound)
        while index + 8 <= content.upperBound, let word = word(at: index) {
            value = value &* 100_000_000 &+ Int(truncatingIfNeeded: word.numberOfDigits)
            index += 8
        }
        while index < content.upperBound {
            value = value &* 10 &+ Int(self[index] &- 0x30)
            index += 1
        }
        return isNegative ? 0 - value : value
    }

    /// The end of one or more digits.
    @inline(__always)
    private func endOfDigits(at start: Int) -> Int? {
        var index = start
        while let word = word(at: index) {
            let end = word.digitCount
            index += end
            if end < 8 { return index > start ? index : nil }
        }
        while self[index] &- 0x30 < 10 { index += 1 }
        return index > start ? index : nil
    }
}

// Eight characters, the first in the lowest byte.
extension UInt64 {
    /// The number of digits before any other character.
    @inline(__always)
    var digitCount: Int {
        // Only the lowest set bit is reliable: an addition can carry into the next byte.
        let zeroToNine = self ^ 0x3030_3030_3030_3030
        let others = ((zeroToNine &+ 0x7676_7676_7676_7676) | zeroToNine) & 0x8080_8080_8080_8080
        return others.trailingZeroBitCount / 8
    }

    /// The value of eight digits: digits are combined into pairs, pairs into fours, and fours into the number.
    @inline(__always)
    var numberOfDigits: UInt64 {
        let digits = self & 0x0F0F_0F0F_0F0F_0F0F
        let pairs = ((digits &* 10) &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
        let fours = ((pairs &* 100) &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
        return ((fours &* 10_000) &+ (fours >> 32)) & 0xFFFF_FFFF
    }
}

// Text with escapes.
extension JSONBytes {
    /// The text of a string with escape sequences, which the scanner has already validated.
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
                let (scalar, length) = scalar(at: index)
                scalar.forEachUTF8Byte { text.append($0) }
                index += length
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
    /// The code point of a `\u` escape sequence, from both halves of a surrogate pair.
    private func scalar(at start: Int) -> (scalar: UInt32, length: Int) {
        let first = UInt32(hexadecimal(at: start + 2) ?? 0xFFFD)
        guard first & 0xF800 == 0xD800 else { return (first, 6) }
        let second = UInt32(hexadecimal(at: start + 8) ?? 0xDC00)
        return (0x10000 + (first & 0x3FF) << 10 + second & 0x3FF, 12)
    }
}

extension UInt32 {
    /// Passes the UTF-8 bytes of this code point. The standard library's encoder is slower here.
    fileprivate func forEachUTF8Byte(_ body: (UInt8) -> Void) {
        func continuation(_ shift: UInt32) { body(UInt8(truncatingIfNeeded: 0x80 | self >> shift & 0x3F)) }
        switch self {
        case ..<0x80: body(UInt8(truncatingIfNeeded: self))
        case ..<0x800:
            body(UInt8(truncatingIfNeeded: 0xC0 | self >> 6))
            continuation(0)
        case ..<0x10000:
            body(UInt8(truncatingIfNeeded: 0xE0 | self >> 12))
            continuation(6)
            continuation(0)
        default:
            body(UInt8(truncatingIfNeeded: 0xF0 | self >> 18))
            continuation(12)
            continuation(6)
            continuation(0)
        }
    }
}
