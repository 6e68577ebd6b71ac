import NetworkEngine

/// Removes secret values that are assigned inside of other text: `token=x`, `password: "x"`.
struct AssignedSecrets {
    /// The removed values.
    private(set) var found: Set<String> = []
    private let isSecret: (String) -> Bool

    init(isSecret: @escaping (String) -> Bool) { self.isSecret = isSecret }

    /// A value in quotes may follow a colon or an equals sign, any other only an equals sign: in a sentence, a colon
    /// precedes words.
    mutating func redact(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else { return text }
        var output: [UInt8] = []
        var copied = 0
        var index = 0
        var start = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") {
                // The value is looked for last: its end may be far away.
                if start < index, index - start <= Self.longestName,
                    isSecret(String(decoding: bytes[start..<index], as: UTF8.self)),
                    let value = value(of: bytes, behind: index),
                    !bytes[value].elementsEqual(Redaction.placeholder.utf8)
                {
                    found.insert(String(decoding: bytes[value], as: UTF8.self))
                    output += bytes[copied..<value.lowerBound]
                    output += Redaction.placeholder.utf8
                    (copied, index) = (value.upperBound, value.upperBound)
                    start = index
                    continue
                }
                start = index + 1
            } else if !Self.isOfName(byte) {
                start = index + 1
            }
            index += 1
        }
        return copied == 0 ? text : String(decoding: output + bytes[copied...], as: UTF8.self)
    }

    private func value(of bytes: [UInt8], behind sign: Int) -> Range<Int>? {
        var start = sign + 1
        while start < bytes.count, bytes[start] == 0x20, start - sign < 4 { start += 1 }
        guard start < bytes.count else { return nil }
        var end = start
        if bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") {
            let quote = bytes[start]
            // The block strings of GraphQL.
            if bytes[start...].starts(with: [quote, quote, quote]) { start += 2 }
            end = start + 1
            while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
            end = min(end, bytes.count)
            return end > start + 1 ? start + 1..<end : nil
        }
        guard bytes[sign] == UInt8(ascii: "="), start == sign + 1 else { return nil }
        while end < bytes.count, bytes[end] > 0x20, !"\"'<>()[]{},;&".utf8.contains(bytes[end]) { end += 1 }
        return end > start ? start..<end : nil
    }

    private static let longestName = 64

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
