import Foundation
import NetworkEngineJSON
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A document that ends with the bracket that exceeds the maximum depth traps in Foundation's decoder.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct SafeDecodingTests {
    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
    func `a surplus bracket at the end is a decoding error`(encoding: String.Encoding) throws {
        for text in [String(repeating: "[", count: 513), String(repeating: "{\"a\":", count: 512) + "{"] {
            let document = try #require(text.data(using: encoding))
            let error = #expect(throws: NetworkError.self) {
                try ResponseDecoding<[String]>.json.value(.sample(document, type: "application/json"))
            }
            #expect(error?.kind == .decoding)
        }
    }

    @Test func `a document with another end is decoded as usual`() throws {
        #expect(try ResponseDecoding<[String]>.json.value(.sample("[\"[\"]")) == ["["])
    }

    @Test(arguments: ["[1] // [", "[1] // {\n// [", "[1] /* [ */ // see [", "[1]\n//["])
    func `JSON5 can end in a comment with a bracket`(text: String) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(try ResponseDecoding<[Int]>.json(decoder).value(.sample(text)) == [1])
    }

    /// Foundation's JSON5 parser traps there.
    @Test(
        arguments: [("1", 1), ("1.5", 1.5), ("-0", 0), ("0x1F", 31), ("2.", 2), (".5", 0.5), ("1e2", 100)],
        ["1", "e5", ".", ".5", "F", "\n1"])
    func `a number in JSON5 ends with its document, whatever follows in memory`(
        sample: (text: String, value: Double),
        rest: String
    ) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let document = Data((sample.text + rest).utf8).prefix(sample.text.utf8.count)
        #expect(try decoder.decodeSafely(Double.self, from: document) == sample.value)
        let response = HTTPResponse.sample(document, type: "application/json")
        #expect(try ResponseDecoding<Double>.json(decoder).value(response) == sample.value)
    }

    /// Foundation's JSON5 parser traps there.
    @Test(arguments: ["{\"a\":1,?\"s\":1}", "{\"?\":1}", "{?:1}", "[?]", "[\"?\"]", "?", "{\"a\":1}//?", "'?"])
    func `bytes that are not UTF-8 are refused in JSON5 too`(text: String) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        for byte in [0x80, 0xC3, 0xED, 0xFE, 0xFF] as [UInt8] {
            let document = Data(text.utf8.map { $0 == UInt8(ascii: "?") ? byte : $0 })
            #expect(throws: DecodingError.self) { _ = try decoder.decodeSafely([String: Int].self, from: document) }
        }
    }

    /// Foundation's JSON5 parser traps there, or ignores the exponent.
    @Test(arguments: ["1E+", "1e-", "1e", "-.5E+", "+2.e", "0e+", "1e+ ", "1e++2e"], ["", ",2", "/**/", "\n"])
    func `an exponent without digits is refused in JSON5`(number: String, rest: String) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        for text in ["[\(number)\(rest)]", "['//', \"'\", /* ' */ \(number)\(rest)] // 'x", "\(number)\(rest)"] {
            #expect(throws: DecodingError.self) { _ = try decoder.decodeSafely([Double].self, from: Data(text.utf8)) }
        }
    }

    /// Foundation's JSON5 parser traps there, too.
    @Test(arguments: [
        "[0x1e+]", "[0x1e-]", "[0x1e+5]", "[0x0x]", "[0x0x1]", "[0x0xAB]", "[-0x0x]",
        #"["\uabc\", 1e+, "x"]"#, #"['\x1\', 1e+, 'x']"#, "[1e+",
    ])
    func `what hides an exponent without digits is refused in JSON5`(text: String) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(throws: DecodingError.self) { _ = try decoder.decodeSafely([Int].self, from: Data(text.utf8)) }
        let wide = Data([0xEF, 0xBB, 0xBF] + text.utf8.flatMap { [$0, 0] })
        #expect(throws: DecodingError.self) { _ = try decoder.decodeSafely([Double].self, from: wide) }
        let twice = Data(text.utf8.flatMap { [$0, 0] }.flatMap { [$0, 0] })
        #expect(throws: DecodingError.self) {
            _ = try decoder.decodeSafely([Double].self, from: Data([0xFF, 0xFE]) + twice)
        }
    }

    @Test func `names, texts and comments are no numbers in JSON5`() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let text = "{e1e: 1, $1e: 0x1e, 'a 1e+': 1e2, \"1e-\": .5e-1, /* 1e+ */ b2e_: 1E+1, } // 1e+"
        let values = ["e1e": 1, "$1e": 30, "a 1e+": 100, "1e-": 0.05, "b2e_": 10]
        #expect(try decoder.decodeSafely([String: Double].self, from: Data(text.utf8)) == values)
    }

    @Test(arguments: [
        String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ])
    func `JSON5 can have any Unicode encoding`(encoding: String.Encoding) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let document = try #require("{a: 'ä', }".data(using: encoding))
        #expect(try decoder.decodeSafely([String: String].self, from: document) == ["a": "ä"])
        #expect(try decoder.decodeSafely(Int.self, from: #require("7".data(using: encoding))) == 7)
    }

    @Test(arguments: 0..<20) func `any bytes are a value or an error in JSON5`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let alphabet = Array(#"{}[]":,'\ux0.-+eEINn/*a "#.utf8) + [0, 0xC3, 0xA4, 0xFE, 0xFF, 0xEF, 0xBB, 0xBF, 0x0A]
        for _ in 0..<TestLength.part(of: 2_000) {
            let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let document = Data("{\"a\":".utf8) + bytes
            _ = try? decoder.decodeSafely([String: [String: Int]].self, from: document)
            _ = try? decoder.decodeSafely([Double].self, from: Data("[1".utf8 + bytes + "]".utf8))
            _ = try? decoder.decodeSafely([Double].self, from: Data(bytes))
        }
    }

    @Test(arguments: [1, 512, 513, 514]) func `brackets that never close are refused in JSON5 too`(count: Int) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let error = #expect(throws: NetworkError.self) {
            try ResponseDecoding<[String]>.json(decoder).value(.sample(String(repeating: "[", count: count)))
        }
        #expect(error?.kind == .decoding)
    }

    @Test(arguments: ["[", "{", "[[[", "[{\"a\":[", "[\"[\",["])
    func `a truncated document fails with the platform's error`(text: String) {
        let thrown = #expect(throws: DecodingError.self) {
            try JSONDecoder().decodeSafely([String].self, from: Data(text.utf8))
        }
        let expected = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([String].self, from: Data(text.utf8))
        }
        #expect(thrown.map { "\($0)" } == expected.map { "\($0)" })
    }

    @Test func `bytes that a subclass converts to JSON can have any end`() throws {
        final class Reversed: JSONDecoder, @unchecked Sendable {
            override func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                try super.decode(type, from: Data(data.reversed()))
            }
        }
        #expect(try ResponseDecoding<[Int]>.json(Reversed()).value(.sample("]21[")) == [12])
    }
}
