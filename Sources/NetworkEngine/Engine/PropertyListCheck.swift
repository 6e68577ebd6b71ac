import Foundation

/// Finds property lists that Foundation's decoder cannot read without ending the process.
///
/// On Linux the decoder recurses without a limit: for nested elements in XML, and for objects of the binary format that
/// contain themselves. The third format, OpenStep, is not accepted.
enum PropertyListCheck {
    /// The maximum number of elements or containers around a value.
    static let maximumDepth = 128

    static func isSafe(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        if bytes.starts(with: Array("bplist".utf8)) { return BinaryPropertyList(bytes)?.isSafe ?? false }
        var reader = XMLPropertyListReader(bytes)
        return reader.isSafe()
    }
}

extension DecodingError {
    static var notPropertyList: DecodingError {
        .dataCorrupted(Context(codingPath: [], debugDescription: "The given data was not a valid property list."))
    }
}

/// Measures the depth of a property list in XML.
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
                guard skip(past: "-->") != nil else { return false }
            } else if rest.starts(with: "<![CDATA[".utf8) {
                guard skip(past: "]]>") != nil else { return false }
            } else if rest.starts(with: "<?".utf8) {
                guard let text = skip(past: "?>"), text.isUTF8Declaration else { return false }
            } else if rest.starts(with: "<!".utf8) {
                // Entities could expand to any size.
                guard let text = skip(past: ">"), !text.contains("[") else { return false }
            } else {
                guard let change = skip(past: ">")?.changeOfDepth else { return false }
                depth += change
                if depth > PropertyListCheck.maximumDepth { return false }
            }
        }
        return true
    }

    /// Skips everything up to the end of a mark, and returns it; `nil` without such a mark.
    private mutating func skip(past mark: String) -> String? {
        let mark = Array(mark.utf8)
        guard let last = mark.last else { return nil }
        var end = rest.startIndex
        while let index = rest[end...].firstIndex(of: last) {
            end = index + 1
            guard rest[..<end].suffix(mark.count).elementsEqual(mark) else { continue }
            defer { rest = rest[end...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        return nil
    }
}

extension String {
    /// Whether an XML declaration names no other encoding than UTF-8, in which tags could not be seen.
    fileprivate var isUTF8Declaration: Bool {
        let text = lowercased()
        return !text.contains("encoding") || text.contains("\"utf-8\"") || text.contains("'utf-8'")
    }

    /// The change of the depth by a tag; `nil` for a tag with attributes, which could hide its end.
    fileprivate var changeOfDepth: Int? {
        if hasPrefix("</") { return -1 }
        if hasPrefix("<plist") { return 1 }
        let isPlain = dropFirst().dropLast().allSatisfy { $0.isLetter || $0.isWhitespace || $0 == "/" }
        guard isPlain else { return nil }
        return hasSuffix("/>") ? 0 : 1
    }
}

/// The structure of a property list in the binary format.
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
            let table = Self.number(in: bytes, at: trailer + 24, size: 8), table < trailer
        else { return nil }
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// Whether containers are not too deep, and each is in one place only. Writers repeat only other objects.
    var isSafe: Bool {
        var open = [(object: top, depth: 1)]
        var seen: Set<Int> = []
        while let (object, depth) = open.popLast() {
            guard let members = references(of: object) else { return false }
            if members.isEmpty { continue }
            guard depth <= PropertyListCheck.maximumDepth, seen.insert(object).inserted else { return false }
            for position in stride(from: members.lowerBound, to: members.upperBound, by: referenceSize) {
                guard let member = Self.number(in: bytes, at: position, size: referenceSize) else { return false }
                open.append((member, depth + 1))
            }
        }
        return true
    }

    /// Returns the range of the references in a container, an empty one for others; `nil` for an invalid object.
    private func references(of object: Int) -> Range<Int>? {
        guard object < count, let offset = Self.number(in: bytes, at: table + object * offsetSize, size: offsetSize),
            offset < table
        else { return nil }
        let kind = bytes[offset] >> 4
        guard kind >= 0xA else { return 0..<0 }
        var (length, start) = (Int(bytes[offset] & 0xF), offset + 1)
        if length == 0xF {
            guard start < table, bytes[start] >> 4 == 1, bytes[start] & 0xF <= 3 else { return nil }
            let size = 1 << Int(bytes[start] & 0xF)
            guard let long = Self.number(in: bytes, at: start + 1, size: size), long < bytes.count else { return nil }
            (length, start) = (long, start + 1 + size)
        }
        if kind == 0xD { length *= 2 }
        let end = start + length * referenceSize
        return end <= table ? start..<end : nil
    }

    private static func number(in bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard 1...8 ~= size, offset >= 0, offset <= bytes.count - size else { return nil }
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
