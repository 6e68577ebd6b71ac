import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Damaged, unusual and very large JSON documents.
@Suite(.timeLimit(.minutes(5))) struct NastyJSONTests {
    /// Accepts any document.
    indirect enum Value: Decodable, Equatable {
        case null, bool(Bool), number(Double), text(String), list([Value]), object([String: Value])

        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let value = try? single.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? single.decode(Double.self) {
                self = .number(value)
            } else if let value = try? single.decode(String.self) {
                self = .text(value)
            } else if let value = try? single.decode([Value].self) {
                self = .list(value)
            } else {
                self = .object(try single.decode([String: Value].self))
            }
        }
    }

    private func value(_ bytes: Data) -> Result<Value, NetworkError> {
        Result { () throws(NetworkError) in
            try ResponseDecoding<Value>.json.value(.sample(bytes, type: "application/json"))
        }
    }

    private func value(_ text: String) -> Result<Value, NetworkError> { value(Data(text.utf8)) }

    static let good: [(String, Value)] = [
        (" \t\r\n null \n", .null), ("-0.0", .number(0)), ("1e-400", .number(0)),
        ("123456789012345678901234567890", .number(1.2345678901234568e29)), ("1.5e+3", .number(1500)),
        (#""\u00e9\ud83d\ude42\/\b\f\n\r\t\"\\""#, .text("é🙂/\u{8}\u{C}\n\r\t\"\\")), (#""\u0000""#, .text("\0")),
        ("[]", .list([])), ("{}", .object([:])), ("[[],{}]", .list([.list([]), .object([:])])),
        (#"{"":1,"a b":[true,false]}"#, .object(["": .number(1), "a b": .list([.bool(true), .bool(false)])])),
        ("\"\u{2028}\u{FFFF}\u{7F}\"", .text("\u{2028}\u{FFFF}\u{7F}")),
    ]

    @Test(arguments: good)
    func `an unusual legal document is decoded, or has a number out of range`(
        text: String, expected: Value
    ) {
        switch value(text) {
        case .success(let value): #expect(value == expected)
        case .failure(let error): #expect(error.kind == .decoding && text.contains("400"))
        }
    }

    @Test func `a duplicate name decodes to one of its values`() {
        let read = try? value(#"{"a":1,"a":2}"#).get()
        #expect(read == .object(["a": .number(1)]) || read == .object(["a": .number(2)]))
    }

    @Test(arguments: [
        "NaN", "-Infinity", "[NaN]", "'a'", "{a:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1"b":2}"#, #"{1:1}"#, "[1 2]", "[,]",
        "[",
        "]", "{", "}", "[}", "01", "+1", ".5", "1.", "1e", "0x1", "1,2", "nul", "tru", "TRUE", "\"", "\"a", "\"\u{1}\"",
        "\"a\nb\"", #""\x""#, #""\u12""#, #""\ud800""#, #""\udc00\ud800""#, "// a\n1", "/**/1", "\u{0}", "[1]]",
        "{\"a\":1}}", "--1", "[1,,2]", "*", "<html>", "\u{A0}1",
    ])
    func `invalid JSON is a decoding error`(text: String) {
        switch value(text) {
        case .success(let value): Issue.record("it was read as \(value)")
        case .failure(let error): #expect(error.kind == .decoding)
        }
    }

    @Test(
        arguments: [[0xFF], [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func `invalid UTF-8 is a decoding error or read with replacement characters`(bytes: [UInt8]) {
        switch value(Data(bytes)) {
        case .success(let value): #expect(value == .text("\u{FFFD}"), "\(value)")
        case .failure(let error): #expect(error.kind == .decoding)
        }
    }

    @Test(arguments: [
        Data([0xEF, 0xBB, 0xBF]) + Data("[1]".utf8), Data([0x5B, 0, 0x31, 0, 0x5D, 0]),
        Data([0, 0x5B, 0, 0x31, 0, 0x5D]),
        Data([0xFF, 0xFE, 0x5B, 0, 0x31, 0, 0x5D, 0]), Data([0xFE, 0xFF, 0, 0x5B, 0, 0x31, 0, 0x5D]),
    ])
    func `JSON with a byte order mark or in UTF-16 is decoded`(bytes: Data) throws {
        #expect(try value(bytes).get() == .list([.number(1)]))
    }

    @Test(arguments: [400, 513, 100_000], ["[", "{\"a\":"])
    func `a document of any depth is decoded or refused without a crash`(depth: Int, opening: String) {
        let closing = opening == "[" ? "]" : "}"
        let text = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        for document in [text, String(text.prefix(text.count / 2))] {
            guard case .failure(let error) = value(document) else { continue }
            #expect(error.kind == .decoding)
        }
    }

    #if canImport(FoundationNetworking)
    @Test func `a surplus bracket at the end crashes the platform's decoder`() async {
        await #expect(processExitsWith: .failure) {
            _ = try? JSONDecoder().decode([Int].self, from: Data(repeating: UInt8(ascii: "["), count: 513))
        }
    }
    #endif

    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
    func `a surplus bracket at the end is a decoding error in the framework`(encoding: String.Encoding) throws {
        for text in [String(repeating: "[", count: 513), String(repeating: "{\"a\":", count: 512) + "{"] {
            let document = try #require(text.data(using: encoding))
            guard case .failure(let error) = value(document) else { return #expect(Bool(false)) }
            #expect(error.kind == .decoding)
        }
    }

    @Test func `a string of 50 MB is decoded completely`() throws {
        let text = "[\"" + String(repeating: "0123456789", count: 5_000_000) + "\"]"
        let response = HTTPResponse.sample(Data(text.utf8), type: "application/json")
        #expect(try ResponseDecoding<[String]>.json.value(response).map(\.utf8.count) == [50_000_000])
    }

    /// Documents of every kind, some of them broken at a random place.
    @Test(arguments: 1...20)
    func `every document is a value or a decoding error, without a crash`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let text = Self.document(depth: 0, &random)
            #expect(throws: Never.self) { try value(text).get() }
            var bytes = Data(text.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes = bytes.prefix(place)
                }
            }
            guard case .failure(let error) = value(Data(bytes)) else { continue }
            #expect(error.kind == .decoding || bytes.isEmpty)
        }
    }

    private static func document(depth: Int, _ random: inout SeededGenerator) -> String {
        let isLeaf = depth > 4
        switch Int.random(in: 0..<(isLeaf ? 4 : 6), using: &random) {
        case 0: return ["null", "true", "false"].randomElement(using: &random) ?? "null"
        case 1: return "\(Int.random(in: -1_000_000...1_000_000, using: &random))"
        case 2: return "\(Double.random(in: -1e9...1e9, using: &random))"
        case 3: return text(&random)
        case 4:
            let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in document(depth: depth + 1, &random) }
            return "[\(items.joined(separator: ", "))]"
        default:
            let items = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                "\(text(&random)): \(document(depth: depth + 1, &random))"
            }
            return "{\(items.joined(separator: ","))}"
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let pieces = ["a", "é", "🙂", "\\n", "\\u00e9", "\\ud83d\\ude42", " ", "\\\"", "{", "]", "\\\\"]
        let count = Int.random(in: 0..<6, using: &random)
        return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined() + "\""
    }
}
