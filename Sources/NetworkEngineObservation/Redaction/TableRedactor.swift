import Foundation
import NetworkEngine

/// Removes the values of the columns with secret names from a table in text, whose first row has the names (RFC 4180).
///
/// Blank lines, comments after `#` and a line that names the separator may come before the names. In a row with more or
/// fewer values than names, no value is known to be harmless, and none to be a secret.
struct TableRedactor {
    /// The removed values.
    private(set) var found: Set<String> = []
    private let isTabbed: Bool
    private let isSecret: (String) -> Bool
    private var bytes: [UInt8] = []
    private var position = 0
    private var separator = UInt8(ascii: ",")

    /// - Parameter isTabbed: whether the values are separated by tabs, if there are any.
    init(isTabbed: Bool, isSecret: @escaping (String) -> Bool) {
        (self.isTabbed, self.isSecret) = (isTabbed, isSecret)
    }

    mutating func redact(_ table: Data) -> Data {
        (bytes, position) = (Array(table), 0)
        if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
        while skipPreamble() {}
        separator = separatorOfNames()
        let names = row()
        let columns = names.indices.filter { isSecret(value(in: names[$0])) }
        guard !columns.isEmpty else { return table }
        var (output, copied): ([UInt8], Int) = ([], 0)
        while position < bytes.count {
            let fields = row()
            let isWhole = fields.count == names.count
            let hidden = isWhole ? columns.map { fields[$0] } : fields
            for field in hidden where !field.isEmpty {
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

    /// Moves behind a line before the names. Returns whether there was one.
    private mutating func skipPreamble() -> Bool {
        let line = bytes[position...].prefix { !Self.endsLine($0) }
        let isComment = line.first == UInt8(ascii: "#") || line.prefix(4).elementsEqual("sep=".utf8)
        guard line.endIndex < bytes.count, isComment || line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
            return false
        }
        position = line.endIndex + 1
        return true
    }

    /// The separator that occurs most often among the names, outside of quotes.
    private func separatorOfNames() -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes[position...] {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if Self.endsLine(byte) { break }
            if Self.separators.contains(byte) { counts[byte, default: 0] += 1 }
        }
        if isTabbed, counts[0x09] != nil { return 0x09 }
        return Self.separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? separator
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

    /// Moves behind the closing quote. A text that was cut ends in it.
    private mutating func skipQuoted() {
        position += 1
        while position < bytes.count {
            let isQuote = bytes[position] == UInt8(ascii: "\"")
            position += 1
            guard isQuote else { continue }
            // A quote in the text is written twice.
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return }
            position += 1
        }
    }

    /// What a field reads as.
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

    private static let separators = Array("|\t;,".utf8)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
