import NetworkEngine

/// Validates UTF-8 (RFC 3629), piece by piece.
struct UTF8Check: Hashable, Sendable {
    /// The number of bytes that the last character still needs.
    private var missing = 0
    /// The range of the last character's next byte. Only its second byte can have another range than the default.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text does not end within a character.
    var isComplete: Bool { missing == 0 }

    /// Whether the bytes from an index on continue a valid text.
    mutating func accepts(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var index = start
            while index < bytes.count {
                if missing == 0 {
                    index = bytes.endOfASCII(from: index)
                    guard index < bytes.count else { return true }
                    guard begin(bytes[index]) else { return false }
                } else {
                    guard bytes[index] >= lowest, bytes[index] <= highest else { return false }
                    (missing, lowest, highest) = (missing - 1, 0x80, 0xBF)
                }
                index += 1
            }
            return true
        }
    }

    /// Begins a character of several bytes. Overlong forms, surrogates and numbers above U+10FFFF are invalid.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }
}

extension UnsafeRawBufferPointer {
    /// The index of the first byte that is not ASCII, from an index on.
    fileprivate func endOfASCII(from start: Int) -> Int {
        var index = start
        while index + 8 <= count, loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
            index += 8
        }
        while index < count, self[index] < 0x80 { index += 1 }
        return index
    }
}
