#if !canImport(Darwin)
@testable import NetworkEngineJSON
import Foundation
@testable import NetworkEngine
import Testing

/// The fast decoder returns the same values and errors as Foundation, and no result where Foundation must decide.
@Suite(.timeLimit(.minutes(5))) struct FastJSONTests {
    private func same<Value: Decodable & Equatable>(
        _ type: Value.Type, _ text: String, _ set: (JSONDecoder) -> Void = { _ in }
    ) throws -> Bool {
        let decoder = JSONDecoder()
        set(decoder)
        let fast = try decoder.decodeFast(type, from: Data(text.utf8))
        return try fast != nil && fast == decoder.decode(type, from: Data(text.utf8))
    }

    private func isLeft<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ set: (JSONDecoder) -> Void = { _ in }
    ) -> Bool {
        let decoder = JSONDecoder()
        set(decoder)
        do {
            return try decoder.decodeFast(type, from: Data(text.utf8)) == nil
        } catch {
            return false
        }
    }

    /// Whether the fast decoder throws Foundation's error.
    private func fails<Value: Decodable>(
        _ type: Value.Type, _ text: String, _ set: (JSONDecoder) -> Void = { _ in }
    ) -> Bool {
        let decoder = JSONDecoder()
        set(decoder)
        let expected = #expect(throws: (any Error).self) { try decoder.decode(type, from: Data(text.utf8)) }
        do {
            _ = try decoder.decodeFast(type, from: Data(text.utf8))
            return false
        } catch {
            return expected.map { "\($0)" } == "\(error)"
        }
    }

    @Test func `types with a strategy are decoded with it`() throws {
        let moments: [(JSONDecoder.DateDecodingStrategy, String)] = [
            (.deferredToDate, "[1.5,-2]"), (.secondsSince1970, "[1700000000,0.25]"),
            (.millisecondsSince1970, "[1,1e12]"),
            (.iso8601, #"["2026-11-22T03:40:00Z","2026-02-30T03:40:00.5+01:00","2026-1-2T24:4:60Z!"]"#),
            (.custom { Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self) + 1) }, "[5]"),
            (.custom { Date(timeIntervalSince1970: Double($0.codingPath.last?.intValue ?? 7)) }, #"["x",null,"y"]"#),
        ]
        for (strategy, text) in moments.dropLast() {
            #expect(try same([Date].self, text) { $0.dateDecodingStrategy = strategy })
        }
        for text in ["null", "[]", "{}", "true"] {
            #expect(fails(Date.self, text) && fails(Data.self, text) && fails(URL.self, text))
            #expect(fails(Decimal.self, text))
        }
        #expect(fails([URL].self, #"["a",""]"#) && fails([String: Data].self, #"{"a":"*"}"#))
        #expect(try same([Data].self, #"["aGk=","", "aG\/="]"#))
        #expect(try same([Data].self, "[[1,2]]") { $0.dataDecodingStrategy = .deferredToData })
        #expect(
            try same([Data].self, "[3]") {
                $0.dataDecodingStrategy = .custom { Data([try $0.singleValueContainer().decode(UInt8.self)]) }
            })
        #expect(try same([URL].self, #"["https://a.example/b?c#d","x y"]"#))
        #expect(try same([Decimal].self, "[0.1,123456789012345678901234567890,-1e-20]"))
        #expect(try same([Date?].self, "[null,1]"))
        #expect(try same(Date.self, "12"))
    }

    @Test func `the closure of a strategy gets the coding path`() throws {
        let text = #"{"a":[1,{"b":2}]}"#
        #expect(
            try same([String: [Place]].self, text) {
                $0.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: Double($0.codingPath.count)) }
            })
    }

    /// A date in any position.
    private struct Place: Decodable, Equatable {
        var date: Date

        init(from decoder: any Decoder) throws {
            let members = try? decoder.container(keyedBy: Transcript.Name.self)
            date = try members?.decode(Date.self, forKey: .init(stringValue: "b")) ?? Date(from: decoder)
        }
    }

    @Test func `a number out of range fails as on the platform, without a fallback`() {
        for text in ["9223372036854775808", "1.5", "-9223372036854775809", "-9223372036854775808.0", "1e19"] {
            #expect(fails(Int.self, text), "\(text)")
        }
        for text in ["256", "-1", "1e-1", "1e400"] { #expect(fails([UInt8].self, "[1,\(text)]"), "\(text)") }
        for text in ["1e39", "1e-60", "-1e400", "0e5"] { #expect(fails(Float.self, text), "\(text)") }
        #expect(fails(Decimal.self, "1e400") && fails(UInt128.self, "340282366920938463463374607431768211456"))
    }

    @Test func `an invalid date falls back to the platform's decoder`() {
        #expect(isLeft([String: Date].self, #"{"a":"2026"}"#) { $0.dateDecodingStrategy = .iso8601 })
        #expect(fails(Date.self, "12") { $0.dateDecodingStrategy = .iso8601 })
    }

    /// The elements after one that may be invalid and is skipped, as in lossy arrays.
    private struct Lossy: Decodable, Equatable {
        var numbers: [Int] = []
        var others = 0

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if let number = try? list.decode(Int.self) {
                    numbers.append(number)
                } else if (try? list.decode(String.self)) != nil || (try? list.decode([String: Int].self)) != nil {
                    others += 1
                } else {
                    return
                }
            }
        }
    }

    @Test(arguments: [
        "[1.0]", "[1e2,2,-0]", #"["x",1]"#, #"[{"address_1":1,"a-b_c":2,"é_x":3}]"#, "[1e400,1]", "[1.5,1]",
    ])
    func `a lossy array skips the same elements as on the platform`(text: String) throws {
        #expect(try same(Lossy.self, text) { $0.keyDecodingStrategy = .convertFromSnakeCase })
    }

    /// A type that requires an integer.
    private struct Trusting: Decodable, Equatable {
        let number: Int
        init(from decoder: any Decoder) throws { number = try! decoder.singleValueContainer().decode(Int.self) }
    }

    @Test func `an integer can be written with a fraction`() throws {
        #expect(try same([Trusting].self, "[1.0,1e2,2]") && same([Int128].self, "[1,-2,1.0]"))
        #expect(try same([UInt128].self, "[340282366920938463463374607431768211455]"))
        #expect(try same([UInt8].self, "[-0,2.0]"))
    }

    @Test func `large numbers are exact`() throws {
        #expect(try same(UInt64.self, "18446744073709551615"))
        #expect(try same(Int64.self, "-9223372036854775808"))
        #expect(try same([Int].self, "[1000000000000000000,999999999999999999,-0]"))
        #expect(try same([Double].self, "[1e22,1e23,9007199254740993,123456789012345678901,5e-324,-0.0,0e0]"))
        #expect(try same([Float].self, "[16777217,0.1,3.4028235e38]"))
    }

    @Test(arguments: [
        "", " ", "[1,]", "[1 2]", "{\"a\":1,}", "{a:1}", "01", "-", "1.", ".5", "1e", "+1", "tru", "nulll", "[", "]",
        "{\"a\"}",
        "\"\u{1}\"", #""\x""#, #""\u12"#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "\"a", "'a'", "1 1", "/**/1",
        "\u{FEFF}1", "\u{0}", "1\u{0}", "[1]\u{0}",
        "[1}", "{\"a\":1]", "[1]]", "{\"a\":1-2}", "[1", "[\"a", "{\"a\"", "{\"a\":", "<html>",
        String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
    ])
    func `invalid JSON falls back to the platform's decoder or fails like it`(text: String) {
        #expect(isLeft(Transcript.self, text) || fails(Transcript.self, text))
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `documents are decoded to the platform's maximum depth`(opening: String, closing: String) throws {
        func text(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        }
        // Foundation's decoder takes a second for a value nested 480 levels deep, unless the type tries nothing.
        struct Depth: Decodable, Equatable {
            let depth: Int
            init(from decoder: any Decoder) throws {
                if let object = try? decoder.container(keyedBy: Transcript.Name.self) {
                    depth = try object.decode(Depth.self, forKey: .init(stringValue: "a")).depth + 1
                } else if var list = try? decoder.unkeyedContainer() {
                    depth = try list.decode(Depth.self).depth + 1
                } else {
                    depth = 0
                }
            }
        }
        #expect(try same(Depth.self, text(512)))
        #expect(try JSONDecoder().decodeFast(NastyJSONTests.Value.self, from: Data(text(512).utf8)) != nil)
        #expect(isLeft(Depth.self, text(513)))
    }

    @Test func `an unused member can be invalid, as on the platform`() throws {
        struct Part: Decodable, Equatable { var b: Int }
        for value in ["1-2", "01", "1.2.3", "-", "1e", #""\x""#, "[1,]", #""\ud800""#] {
            let text = Data(#"{"a":\#(value),"b":3}"#.utf8)
            #expect(try JSONDecoder().decodeSafely(Part.self, from: text) == Part(b: 3), "\(value)")
        }
    }

    @Test(
        arguments: [
            [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22], [0x22, 0xFF, 0x22], [0x31, 0x00], [0xFF, 0xFE, 0x31, 0x00],
            [0xEF, 0xBB, 0xBF, 0x31],
        ] as [[UInt8]])
    func `invalid UTF-8 falls back to the platform's decoder`(bytes: [UInt8]) throws {
        #expect(try JSONDecoder().decodeFast(Transcript.self, from: Data(bytes)) == nil)
    }

    @Test func `decoders with other options are used directly`() throws {
        final class Own: JSONDecoder, @unchecked Sendable {}
        #expect(try Own().decodeFast(Int.self, from: Data("1".utf8)) == nil)
        #expect(isLeft(Int.self, "1") { $0.allowsJSON5 = true })
        #expect(isLeft([String: Int].self, #"{"a":1}"#) { $0.assumesTopLevelDictionary = true })
        #expect(isLeft([String: Int].self, #"{"a":1}"#) { $0.keyDecodingStrategy = .custom { $0[0] } })
        #expect(
            isLeft(Double.self, "1") {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "i", negativeInfinity: "-i", nan: "n")
            })
    }

    @Test func `the error equals the platform's`() {
        let text = Data(#"{"users":[{"id":"x"}]}"#.utf8)
        let expected = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([String: [[String: Int]]].self, from: text)
        }
        let thrown = #expect(throws: DecodingError.self) {
            try JSONDecoder().decodeSafely([String: [[String: Int]]].self, from: text)
        }
        #expect(thrown.map { "\($0)" } == expected.map { "\($0)" })
    }

    @Test func `a decoder or container that outlives its document uses the platform's`() throws {
        struct Decoders: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        struct Containers: Decodable {
            let container: any UnkeyedDecodingContainer
            init(from decoder: any Decoder) throws { container = try decoder.unkeyedContainer() }
        }
        #expect(isLeft([Decoders].self, #"[1,"two"]"#) && isLeft([Containers].self, "[[1]]"))
    }

    @Test func `a decoder with userInfo falls back to the platform's decoder`() {
        #expect(
            CodingUserInfoKey(rawValue: "told").map { key in isLeft(Int.self, "1") { $0.userInfo[key] = 1 } } == true)
    }

    @Test func `the keys of a coding path equal the platform's`() throws {
        struct Path: Decodable, Equatable {
            let text: String
            init(from decoder: any Decoder) {
                text = "\(decoder.codingPath) \(decoder.codingPath.map(\.debugDescription))"
            }
        }
        #expect(try same([[String: Path]].self, #"[{"a":1}]"#))
        #expect(try same([[String: Path]].self, #"[{"a":1}]"#) { $0.keyDecodingStrategy = .convertFromSnakeCase })
    }
}
#endif
