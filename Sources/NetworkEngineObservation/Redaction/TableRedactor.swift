import Foundation
import NetworkEngine

/// Removes the values in columns with secret names from a text table with names in its first row (RFC 4180).
///
/// Blank lines, comments after `#` and a separator declaration can precede the names. A line after `#` can contain the
/// names itself. In a row with more or fewer values than names, every value is hidden, but none is treated as a known
/// secret.
struct TableRedactor {
    /// The removed values.
    private(set) var found: Set<String> = []
    private let isTabbed: Bool
    private let isSecret: (String) -> Bool
    private var bytes: [UInt8] = []
    private var position = 0
    private var separator = UInt8(ascii: ",")
    /// The separator that the table declares.
    private var declared: UInt8?

    /// - Parameter isTabbed: whether the values are separated by tabs, if there are any.
    init(isTabbed: Bool, isSecret: @escaping (String) -> Bool) {
        (self.isTabbed, self.isSecret) = (isTabbed, isSecret)
    }

    mutating func redact(_ table: Data) -> Data {
        (bytes, position) = (Array(table), 0)
        if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
        var commented: Set<Int> = []
        while let line = preamble() {
            if bytes[line].first == UInt8(ascii: "#") { commented.formUnion(names().secret) }
            position = line.upperBound
        }
        let start = position
        let names = names()
        // Without a secret name, the row can be the first one after names in a comment.
        if !commented.isEmpty, names.secret.isEmpty { position = start }
        return hiding(commented.union(names.secret), of: names.count, in: table)
    }

    /// - Parameter count: the number of values in a complete row.
    private mutating func hiding(_ columns: Set<Int>, of count: Int, in table: Data) -> Data {
        if columns.isEmpty { return table }
        var (output, copied): ([UInt8], Int) = ([], 0)
        while position < bytes.count {
            let fields = row()
            // Some writers end each row with a separator.
            let isWhole = fields.count >= count && fields.dropFirst(count).allSatisfy(\.isEmpty)
            for (column, field) in fields.enumerated() where !field.isEmpty && (!isWhole || columns.contains(column)) {
                let value = value(in: field)
                if value.isEmpty || value == Redaction.placeholder { continue }
                if isWhole { found.insert(value) }
                output += bytes[copied..<field.lowerBound]
                output += Redaction.placeholder.utf8
                copied = field.upperBound
            }
        }
        return Data(output + bytes[copied...])
    }

    /// The next line with its line ending, if it precedes the names.
    private mutating func preamble() -> Range<Int>? {
        let line = bytes[position...].prefix { !Self.endsLine($0) }
        guard line.endIndex < bytes.count else { return nil }
        let text = line.drop { $0 == UInt8(ascii: "\"") }
        let isDeclaration = text.prefix(4).map { $0 | 0x20 }.elementsEqual("sep=".utf8.map { $0 | 0x20 })
        if isDeclaration { declared = text.dropFirst(4).first }
        let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        let isPreamble = isDeclaration || isBlank || line.first == UInt8(ascii: "#")
        return isPreamble ? line.startIndex..<line.endIndex + 1 : nil
    }

    /// Reads a row of names. Returns their number, and the columns with secret names.
    ///
    /// If several separators are possible, the first one that yields a secret name is used.
    private mutating func names() -> (count: Int, secret: Set<Int>) {
        let start = position
        var first: (separator: UInt8, end: Int, count: Int)?
        for separator in separators() {
            (self.separator, position) = (separator, start)
            let fields = row()
            let secret = fields.indices.filter { isSecret(name(in: fields[$0])) }
            if !secret.isEmpty { return (fields.count, Set(secret)) }
            first = first ?? (separator, position, fields.count)
        }
        (separator, position) = (first?.separator ?? separator, first?.end ?? position)
        return (first?.count ?? 0, [])
    }

    /// The possible separators of the next row, most likely first.
    private func separators() -> [UInt8] {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes[position...] {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, Self.endsLine(byte) { break }
            if Self.separators.contains(byte) { counts[byte, default: 0] += isQuoted ? 0 : 1 }
        }
        let found = Self.separators.filter { counts[$0] != nil }.sorted {
            counts[$0, default: 0] > counts[$1, default: 0]
        }
        let likely = [declared, isTabbed && counts[0x09] != nil ? 0x09 : nil].compactMap(\.self)
        return likely + (found.isEmpty ? [UInt8(ascii: ",")] : found)
    }

    private func name(in field: Range<Int>) -> String {
        let name = value(in: field)
        guard name.first == "#" else { return name }
        return String(name.drop { $0 == "#" || $0 == " " })
    }

    /// The fields of the next row, with their quotes.
    private mutating func row() -> [Range<Int>] {
        var fields: [Range<Int>] = []
        while true {
            let start = position
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { skipQuoted() }
            while position < bytes.count, bytes[position] != separator, !Self.endsLine(bytes[position]) {
                position += 1
            }
            fields.append(start..<position)
            guard position < bytes.count else { return fields }
            let byte = bytes[position]
            position += 1
            if byte == separator { continue }
            if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
            return fields
        }
    }

    /// Moves past the closing quote. A truncated text ends before it.
    private mutating func skipQuoted() {
        position += 1
        while position < bytes.count {
            let isQuote = bytes[position] == UInt8(ascii: "\"")
            position += 1
            guard isQuote else { continue }
            // A quote in the text is doubled.
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return }
            position += 1
        }
    }

    /// The value of a field.
    private func value(in field: Range<Int>) -> String {
        var text = bytes[field]
        while let byte = text.last, byte == 0x20 { text.removeLast() }
        text = text.drop { $0 == 0x20 }
        guard text.first == UInt8(ascii: "\"") else { return String(decoding: text, as: UTF8.self) }
        let isClosed = text.count > 1 && text.last == UInt8(ascii: "\"")
        return String(decoding: text.dropFirst().dropLast(isClosed ? 1 : 0), as: UTF8.self)
            .replacing("\"\"", with: "\"")
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static let separators = Array(",;\t|".utf8)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
