import Foundation

/// A body as readable text.
enum BodyText {
    /// The body on separate lines: JSON indented, other text unchanged, binary data summarized.
    static func text(_ body: RecordedBody, type: String?, coding: String?) -> String {
        let data = BodyCoding.plain(body.data, coding: coding) ?? body.data
        let note = body.note.map { "\n(\($0))" } ?? ""
        if data.isEmpty { return note }
        guard let text = String(data: data, encoding: .utf8), !data.contains(0) else {
            return "\n(\(size(data.count)) of \(type ?? "binary data"))" + note
        }
        let first = text.utf8.first { $0 > 0x20 }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return "\n" + (isJSON ? JSONIndentation.indented(text) : text) + note
    }

    static func size(_ count: Int) -> String {
        count < 1_000
            ? "\(count) bytes" : count < 1_000_000 ? tenths(count, of: 1_000, "kB") : tenths(count, of: 1_000_000, "MB")
    }

    private static func tenths(_ count: Int, of unit: Int, _ name: String) -> String {
        "\(count / unit).\(count % unit * 10 / unit) \(name)"
    }
}

/// A duration as readable text.
enum DurationText {
    static func text(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
        if milliseconds < 10_000 { return "\(Int(milliseconds.rounded())) ms" }
        return "\((milliseconds / 100).rounded() / 10) s"
    }
}

/// Indents JSON without changing its values, their order or spelling. The JSON can be truncated or invalid.
enum JSONIndentation {
    static func indented(_ text: String) -> String {
        var result: [UInt8] = []
        var depth = 0
        var isInString = false
        var isEscaped = false
        let bytes = Array(text.utf8)
        func breakLine() {
            result.append(UInt8(ascii: "\n"))
            // Deeply nested documents would grow too long.
            result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * min(depth, 32)))
        }
        for (index, byte) in bytes.enumerated() {
            if isInString {
                result.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
                result.append(byte)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                depth += 1
                let next = bytes[(index + 1)...].first { $0 > 0x20 }
                if next != UInt8(ascii: "}"), next != UInt8(ascii: "]") { breakLine() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                let last = result.last
                if last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { breakLine() }
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                breakLine()
            case UInt8(ascii: ":"): result += [byte, UInt8(ascii: " ")]
            case 0...0x20: break
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
