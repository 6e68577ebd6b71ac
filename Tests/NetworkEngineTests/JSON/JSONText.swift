@testable import NetworkEngineTesting

/// Random documents.
struct JSONText {
    var random: SeededGenerator
    /// Whether numbers fit every type.
    var isModest = true

    private static let names = [
        "a", "b", "id", "super", "first_name", "_id_", "a__b", "URL_value", "x2_y3", "_", "__", "", "nameIs", "é",
        "é_x",
        "e\u{301}", #"\u0061"#, #"a\"b"#, "\u{212A}", "K", "2_b", "a_2",
    ]
    private static let texts = [
        "", "x", "Höpper", #"\n\t\\\/\"\b\f\r"#, #"\u00e9\uD83D\uDE42"#, "🙂", "a longer text than fits a small string",
        #"\u0000"#, "\u{7F}\u{2028}\u{FFFF}",
    ]
    private static let numbers = [
        "0", "-0", "-1", "127", "128", "65536", "2147483648", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "0.1", "1.0",
        "-2.5e-3", "1E5", "123456789.123456789", "1e22", "1e23", "5e-324", "1e-400", "1e400", "1.7976931348623157e308",
        "3.4028236e38", "0.30000000000000004", "100000000000000000000000", "0e5", "-0.0", "16777217", "0.1e-7",
    ]

    mutating func document(depth: Int = 3) -> String {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 8), using: &random) {
        case 0: return ["null", "true", "false"].randomElement(using: &random) ?? "null"
        case 1, 2: return number()
        case 3, 4: return string()
        case 5: return list(depth)
        default: return object(depth, count: Int.random(in: 0..<5, using: &random))
        }
    }

    private mutating func number() -> String {
        isModest ? "\(Int.random(in: 0...127, using: &random))" : Self.numbers.randomElement(using: &random) ?? "1"
    }

    private mutating func string() -> String { "\"\(Self.texts.randomElement(using: &random) ?? "")\"" }

    private mutating func list(_ depth: Int) -> String {
        let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in document(depth: depth - 1) }
        return "[\(space())\(elements.joined(separator: space() + ","))\(space())]"
    }

    mutating func object(_ depth: Int, count: Int) -> String {
        let members = (0..<count).map { index in
            let name = count > 30 ? "n\(index % 40)" : Self.names.randomElement(using: &random) ?? "a"
            return "\"\(name)\"\(space()):\(space())\(document(depth: depth - 1))"
        }
        return "{\(space())\(members.joined(separator: "," + space()))\(space())}"
    }

    private mutating func space() -> String { ["", "", "", " ", "\n\t", "\r\n"].randomElement(using: &random) ?? "" }

    /// The text with a few random changes, which usually make it invalid.
    mutating func damaged(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        let alphabet =
            Array(#"{}[]":,\u0d8-+eE.tfn _/"#.utf8) + [0, 0x1F, 0x80, 0xC3, 0xA9, 0xE2, 0xED, 0xF0, 0xFF, 0xEF]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let byte = alphabet.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.insert(byte, at: place)
            case 1 where place < bytes.count: bytes[place] = byte
            default: if place < bytes.count { bytes.remove(at: place) }
            }
        }
        return bytes
    }
}
