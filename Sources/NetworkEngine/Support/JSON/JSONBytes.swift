/// Bytes that end in as many NULs as one likes to read: no index is out of bounds.
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

    /// The first byte from here on that is no white space.
    @inline(__always)
    func endOfSpace(from start: Int) -> Int {
        var index = start
        while true {
            let byte = self[index]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return index }
            index += 1
        }
    }

    /// The first byte from here on that is not printable ASCII, or is a quotation mark or a backslash.
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

    /// Eight bytes, the first in the lowest place; nothing where there are not as many.
    @inline(__always)
    private func word(at index: Int) -> UInt64? {
        guard index >= 0, index &+ 8 <= count, let address = base.baseAddress else { return nil }
        return UInt64(littleEndian: UnsafeRawPointer(address).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The high bit of each byte that ends plain text; of those behind the first it may be wrong.
    @inline(__always)
    private static func special(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let control = (word &- ones &* 0x20) & ~word
        let marks = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        return (word | control | marks) & (ones &* 0x80)
    }
}
