package import Foundation

/// Finds property lists that would crash the process in Foundation's decoder.
///
/// On Linux the decoder recurses without a limit: for nested XML elements, and for objects in the binary format that
/// contain themselves. It traps on a text in the binary format that ends beyond the body. The third format, OpenStep,
/// is not accepted.
package enum PropertyListCheck {
    /// The maximum number of elements or containers around a value.
    static let maximumDepth = 128

    package static func isSafe(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        if bytes.starts(with: Array("bplist0".utf8)) { return BinaryPropertyList(bytes)?.isSafe ?? false }
        var reader = XMLPropertyListReader(bytes)
        return reader.isSafe()
    }
}

extension DecodingError {
    package static var notPropertyList: DecodingError {
        .dataCorrupted(Context(codingPath: [], debugDescription: "The given data was not a valid property list."))
    }
}

/// Measures the depth of an XML property list.
private struct XMLPropertyListReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        rest = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        rest = rest.drop { $0 <= UInt8(ascii: " ") }
    }

    mutating func isSafe() -> Bool {
        guard ["<?xml", "<!DOCTYPE", "<plist"].contains(where: { rest.starts(with: $0.utf8) }) else { return false }
        var depth = 0
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                guard skip("<!--", past: "-->") != nil else { return false }
            } else if rest.starts(with: "<![CDATA[".utf8) {
                guard skip("<![CDATA[", past: "]]>") != nil else { return false }
            } else if rest.starts(with: "<?".utf8) {
                guard let text = skip("<?", past: "?>"), text.isUTF8Declaration else { return false }
            } else if rest.starts(with: "<!".utf8) {
                // Entities could expand to any size.
                guard let text = skip("<!", past: ">"), !text.contains("[") else { return false }
            } else {
                guard let change = skip("<", past: ">")?.changeOfDepth else { return false }
                depth += change
                guard 0...PropertyListCheck.maximumDepth ~= depth else { return false }
            }
        }
        return true
    }

    /// Skips the opening mark and everything up to the closing one, and returns it; `nil` without a closing mark.
    ///
    /// The two marks share no bytes: the decoder does not treat `<!-->` as a comment.
    private mutating func skip(_ opening: String, past mark: String) -> String? {
        let mark = Array(mark.utf8)
        guard let last = mark.last else { return nil }
        let start = rest.startIndex + opening.utf8.count
        var end = start
        while let index = rest[end...].firstIndex(of: last) {
            end = index + 1
            guard rest[start..<end].suffix(mark.count).elementsEqual(mark) else { continue }
            defer { rest = rest[end...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        return nil
    }
}

extension String {
    /// Whether an XML declaration specifies no encoding other than UTF-8, because tags could not be found in it.
    fileprivate var isUTF8Declaration: Bool {
        let text = lowercased()
        return !text.contains("encoding") || text.contains("\"utf-8\"") || text.contains("'utf-8'")
    }

    /// How a tag changes the depth; `nil` for a tag with attributes, which could hide its end.
    fileprivate var changeOfDepth: Int? {
        if hasPrefix("</") { return -1 }
        if hasPrefix("<plist") { return 1 }
        let isPlain = dropFirst().dropLast().allSatisfy { $0.isLetter || $0.isWhitespace || $0 == "/" }
        guard isPlain else { return nil }
        return hasSuffix("/>") ? 0 : 1
    }
}

/// The structure of a binary property list.
private struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int

    init?(_ bytes: [UInt8]) {
        let trailer = bytes.count - 32
        guard trailer >= 8 else { return nil }
        self.bytes = bytes
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard let count = Self.number(in: bytes, at: trailer + 8, size: 8), count <= bytes.count,
            let top = Self.number(in: bytes, at: trailer + 16, size: 8), top < count,
            let table = Self.number(in: bytes, at: trailer + 24, size: 8), table < trailer,
            count <= (trailer - table) / max(1, offsetSize)
        else { return nil }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// Whether containers are not too deep, and each occurs in only one place. Writers repeat only other objects.
    var isSafe: Bool {
        var open = [(object: top, depth: 1)]
        var seen: Set<Int> = []
        // There could be any number of references from several containers in the same bytes.
        var unread = bytes.count
        while let (object, depth) = open.popLast() {
            guard let members = references(of: object) else { return false }
            if members.isEmpty { continue }
            guard depth <= PropertyListCheck.maximumDepth, seen.insert(object).inserted else { return false }
            for position in stride(from: members.lowerBound, to: members.upperBound, by: referenceSize) {
                unread -= referenceSize
                guard unread >= 0, let member = Self.number(in: bytes, at: position, size: referenceSize) else {
                    return false
                }
                open.append((member, depth + 1))
            }
        }
        return true
    }

    /// Returns the range of the references in a container, an empty one for other objects; `nil` for an invalid object.
    private func references(of object: Int) -> Range<Int>? {
        guard object < count, let offset = Self.number(in: bytes, at: table + object * offsetSize, size: offsetSize),
            offset < table
        else { return nil }
        let kind = bytes[offset] >> 4
        var (length, start) = (Int(bytes[offset] & 0xF), offset + 1)
        switch kind {
        case 0x0: return 0..<0
        // Numbers, of two to the power of their length bytes, and dates.
        case 0x1, 0x2, 0x3: return length <= 4 && start + 1 << length <= table ? 0..<0 : nil
        case 0x8: return start + length + 1 <= table ? 0..<0 : nil
        default: break
        }
        if length == 0xF {
            guard start < table, bytes[start] >> 4 == 1, bytes[start] & 0xF <= 3 else { return nil }
            let size = 1 << Int(bytes[start] & 0xF)
            guard let long = Self.number(in: bytes, at: start + 1, size: size), long < bytes.count else { return nil }
            (length, start) = (long, start + 1 + size)
        }
        // Divided, because a product of two numbers from the file can overflow.
        guard start <= table else { return nil }
        let room = table - start
        switch kind {
        // Data, ASCII and UTF-8; UTF-16.
        case 0x4, 0x5, 0x7: return length <= room ? 0..<0 : nil
        case 0x6: return length <= room / 2 ? 0..<0 : nil
        case 0xA, 0xB, 0xC: break
        case 0xD: length *= 2
        default: return nil
        }
        return length <= room / max(1, referenceSize) ? start..<start + length * referenceSize : nil
    }

    private static func number(in bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard 1...8 ~= size, offset >= 0, offset <= bytes.count - size else { return nil }
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
