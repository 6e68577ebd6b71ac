/// The bytes of a name in snake case as it reads in camel case: `_user_name` as `_userName`.
///
/// A name of one word is left as it is. Of several, the first becomes lowercase, and of the others all letters but those
/// that follow no letter, which become uppercase; underscores at either end stay.
struct JSONCamelCase: Sequence, IteratorProtocol {
    private let bytes: JSONBytes
    private let end: Int
    /// What lies between the underscores at the ends, where it is more than one word.
    private let words: Range<Int>
    private var position: Int
    private var isFirstWord = true
    private var followsLetter = false

    /// Nothing where a character of a word is not ASCII, or one of those that words go on after without being letters.
    init?(_ bytes: JSONBytes, _ name: Range<Int>) {
        self.bytes = bytes
        end = name.upperBound
        position = name.lowerBound
        var (first, last) = (name.lowerBound, name.upperBound)
        while first < last, bytes[first] == UInt8(ascii: "_") { first += 1 }
        while first < last, bytes[last - 1] == UInt8(ascii: "_") { last -= 1 }
        var (hasSeveral, isSimple) = (false, true)
        for index in first..<last {
            switch bytes[index] {
            case UInt8(ascii: "_"): hasSeveral = true
            case UInt8(ascii: "'"), UInt8(ascii: "^"), UInt8(ascii: "`"), ..<0x20, 0x7F...: isSimple = false
            default: continue
            }
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
        while bytes[position] == UInt8(ascii: "_") {
            (isFirstWord, followsLetter) = (false, false)
            position += 1
        }
        let byte = bytes[position]
        position += 1
        guard Self.isLetter(byte) else {
            followsLetter = false
            return byte
        }
        defer { followsLetter = true }
        return isFirstWord || followsLetter ? byte | 0x20 : byte & ~0x20
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
