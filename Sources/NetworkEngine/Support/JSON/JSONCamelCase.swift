/// The bytes of a name in snake case as it reads in camel case: `_user_name` as `_userName`.
///
/// A name of one word is left as it is. Of several, the first becomes small, and of the others all but their first letters;
/// underscores at either end stay.
struct JSONCamelCase: Sequence, IteratorProtocol {
    private let bytes: JSONBytes
    private let end: Int
    /// What lies between the underscores at the ends, where it is more than one word.
    private let words: Range<Int>
    private var position: Int

    /// Nothing where a word is other than letters of ASCII and digits behind them: capitals have rules of their own there.
    init?(_ bytes: JSONBytes, _ name: Range<Int>) {
        self.bytes = bytes
        end = name.upperBound
        position = name.lowerBound
        var (first, last) = (name.lowerBound, name.upperBound)
        while first < last, bytes[first] == UInt8(ascii: "_") { first += 1 }
        while first < last, bytes[last - 1] == UInt8(ascii: "_") { last -= 1 }
        var (hasSeveral, isSimple, previous) = (false, true, UInt8(ascii: "_"))
        for index in first..<last {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "_"): hasSeveral = true
            case 0x30...0x39: if previous == UInt8(ascii: "_") { isSimple = false }
            default: if !Self.isLetter(byte) || previous &- 0x30 < 10 { isSimple = false }
            }
            previous = byte
        }
        guard isSimple || !hasSeveral else { return nil }
        words = hasSeveral ? first..<last : last..<last
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    mutating func next() -> UInt8? {
        guard position < end else { return nil }
        guard words.contains(position) else {
            position += 1
            return bytes[position - 1]
        }
        var beginsWord = false
        while bytes[position] == UInt8(ascii: "_") {
            beginsWord = true
            position += 1
        }
        let byte = bytes[position]
        position += 1
        guard Self.isLetter(byte) else { return byte }
        return beginsWord ? byte & ~0x20 : byte | 0x20
    }

    /// Whether it is this name.
    func reads(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        var (rest, place) = (self, 0)
        while let byte = rest.next() {
            guard place < name.count, name[place] == byte else { return false }
            place += 1
        }
        return place == name.count
    }
}
