import Foundation

/// A text in UTF-16 or UTF-32, with or without a byte order mark.
struct WideText {
    /// The text without its byte order mark.
    let text: String
    /// The number of bytes in a code unit.
    private let width: Int
    private let isBigEndian: Bool
    private let hasMark: Bool

    /// Reads a body that has a byte order mark, or begins with two ASCII characters between zeros.
    ///
    /// - Parameter isDeclared: whether the content type declares the encoding. Then zeros anywhere are enough.
    init?(_ body: Data, isDeclared: Bool) {
        guard isDeclared || body.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) else { return nil }
        let bytes = [UInt8](body)
        guard let format = Self.format(of: bytes, isDeclared: isDeclared) else { return nil }
        (width, isBigEndian) = format
        var units: [UInt32] = []
        units.reserveCapacity(bytes.count / width)
        // A truncated text can end within a code unit, which is omitted.
        for start in stride(from: 0, through: bytes.count - width, by: width) {
            var unit: UInt32 = 0
            for index in 0..<width {
                let byte = bytes[start + (isBigEndian ? index : width - 1 - index)]
                unit = unit << 8 | UInt32(byte)
            }
            units.append(unit)
        }
        hasMark = units.first == Self.byteOrderMark
        if hasMark { units.removeFirst() }
        if width == 2 {
            text = String(decoding: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
        } else {
            text = String(decoding: units, as: UTF32.self)
        }
    }

    /// The bytes of a changed text in the same encoding.
    func bytes(of changed: String) -> Data {
        var units: [UInt32] = hasMark ? [Self.byteOrderMark] : []
        if width == 2 {
            for unit in changed.utf16 { units.append(UInt32(unit)) }
        } else {
            for scalar in changed.unicodeScalars { units.append(scalar.value) }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(units.count * width)
        for unit in units {
            for index in 0..<width {
                let place = isBigEndian ? width - 1 - index : index
                bytes.append(UInt8(truncatingIfNeeded: unit >> UInt32(8 * place)))
            }
        }
        return Data(bytes)
    }

    private static func format(of bytes: [UInt8], isDeclared: Bool) -> (width: Int, isBigEndian: Bool)? {
        let start = Array(bytes.prefix(4))
        if start == [0xFF, 0xFE, 0, 0] { return (4, false) }
        if start == [0, 0, 0xFE, 0xFF] { return (4, true) }
        if start.starts(with: [0xFF, 0xFE]) { return (2, false) }
        if start.starts(with: [0xFE, 0xFF]) { return (2, true) }
        for (width, isBigEndian) in [(4, false), (4, true), (2, false), (2, true)]
        where beginsWithASCII(bytes, width: width, isBigEndian: isBigEndian) {
            return (width, isBigEndian)
        }
        return isDeclared ? declaredFormat(of: bytes) : nil
    }

    /// The names of secrets are ASCII, so a text without zeros contains none.
    private static func declaredFormat(of bytes: [UInt8]) -> (width: Int, isBigEndian: Bool)? {
        var (even, odd) = (0, 0)
        for index in bytes.indices where bytes[index] == 0 {
            if index % 2 == 0 { even += 1 } else { odd += 1 }
        }
        return even + odd == 0 ? nil : (2, even > odd)
    }

    /// Whether the first two code units are ASCII characters: a single one also occurs in other data.
    private static func beginsWithASCII(_ bytes: [UInt8], width: Int, isBigEndian: Bool) -> Bool {
        guard bytes.count >= width else { return false }
        return bytes.prefix(2 * width).enumerated().allSatisfy { index, byte in
            let isCharacter = index % width == (isBigEndian ? width - 1 : 0)
            return isCharacter ? (0x20..<0x7F).contains(byte) || (0x09...0x0D).contains(byte) : byte == 0
        }
    }

    private static let byteOrderMark: UInt32 = 0xFEFF
}
