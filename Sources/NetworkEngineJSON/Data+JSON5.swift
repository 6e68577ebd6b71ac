import Foundation

extension Data {
    /// The document for Foundation's JSON5 reader, in UTF-8; `nil` if these bytes are not text in any encoding.
    ///
    /// That reader traps on a name with bytes that are not UTF-8, and on an exponent without digits, even in a
    /// hexadecimal number. It reads the bytes after a document that ends in a number, and traps if they could belong to
    /// the number (Foundation of Swift 6.3). It searches for zeros again to determine the encoding.
    var safeJSON5: Data? {
        guard let text = String(data: self, encoding: unicodeEncoding), !text.utf8.contains(0),
            Array(text.utf8).hasSafeNumbers
        else {
            return nil
        }
        let document = Data(text.utf8)
        return document.mayEndInNumber ? document + [UInt8(ascii: "\n")] : document
    }

    /// The encoding determined by a byte order mark, or by the zeros in the first characters, which are ASCII.
    private var unicodeEncoding: String.Encoding {
        let start = Array(prefix(4))
        if start.starts(with: [0, 0, 0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE, 0, 0]) { return .utf32 }
        if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) { return .utf16 }
        return switch start.map({ $0 == 0 }) {
        case [true, true, true, false]: .utf32BigEndian
        case [false, true, true, true]: .utf32LittleEndian
        case [true, false, true, false], [true, false]: .utf16BigEndian
        case [false, true, false, true], [false, true]: .utf16LittleEndian
        default: .utf8
        }
    }

    private var mayEndInNumber: Bool {
        guard let last else { return false }
        return last == UInt8(ascii: ".") || last | 0x20 >= UInt8(ascii: "a") && last | 0x20 <= UInt8(ascii: "z")
            || last >= UInt8(ascii: "0") && last <= UInt8(ascii: "9")
    }
}

extension [UInt8] {
    /// Whether no number ends with its exponent's letter or sign, or has characters other than digits after `0x`.
    ///
    /// Texts and comments are skipped. An escape without its digits could hide the end of a text.
    fileprivate var hasSafeNumbers: Bool {
        var index = 0
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = endOfText(from: index) else { return false }
                index = end
            case UInt8(ascii: "/"): index = endOfComment(from: index)
            case let byte where Self.isInWord(byte):
                let end = self[index...].firstIndex { !Self.isInWord($0) } ?? count
                if !Self.isSafe(self[index..<end]) { return false }
                index = end
            default: index += 1
            }
        }
        return true
    }

    private func endOfText(from start: Int) -> Int? {
        var index = start + 1
        while index < count, self[index] != self[start] {
            guard self[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            index += 2
            let digits =
                index > count
                ? 0 : self[index - 1] == UInt8(ascii: "u") ? 4 : self[index - 1] == UInt8(ascii: "x") ? 2 : 0
            guard self[Swift.min(index, count)...].prefix(digits).count(where: Self.isHexadecimal) == digits else {
                return nil
            }
            index += digits
        }
        return index + 1
    }

    private func endOfComment(from start: Int) -> Int {
        var index = start + 2
        guard index <= count else { return count }
        if self[start + 1] == UInt8(ascii: "/") {
            while index < count, self[index] != 0x0A, self[index] != 0x0D { index += 1 }
        } else if self[start + 1] == UInt8(ascii: "*") {
            while index + 1 < count, self[index] != UInt8(ascii: "*") || self[index + 1] != UInt8(ascii: "/") {
                index += 1
            }
            index += 2
        } else {
            index = start + 1
        }
        return index
    }

    /// The bytes of names and numbers.
    private static func isInWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 || "+-.$_".utf8.contains(byte)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

    private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

    private static func isSafe(_ word: ArraySlice<UInt8>) -> Bool {
        guard let first = word.first, first &- 0x30 < 10 || "+-.".utf8.contains(first) else { return true }
        let number = word.drop(while: isSign)
        if number.first == UInt8(ascii: "0"), let second = number.dropFirst().first, second | 0x20 == UInt8(ascii: "x")
        {
            let digits = number.dropFirst(2)
            return (digits.last == UInt8(ascii: ".") ? digits.dropLast() : digits).allSatisfy(isHexadecimal)
        }
        return word.indices.allSatisfy { index in
            guard word[index] | 0x20 == UInt8(ascii: "e") else { return true }
            return word[(index + 1)...].drop(while: isSign).first.map { $0 &- 0x30 < 10 } == true
        }
    }
}
