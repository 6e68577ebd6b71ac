#if !canImport(Darwin)
@testable import NetworkEngineJSON
import Foundation
@testable import NetworkEngine
@testable import NetworkEngineTesting
import TestSupport
import Testing

/// Numbers in every spelling: each type gets the same value or error as from Foundation.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct JSONNumberTests {
    private func compare(_ text: String) throws {
        let document = Data(text.utf8)
        let expected = try JSONDecoder().decode(Answers.self, from: document)
        let answers = try JSONDecoder().decodeFast(Answers.self, from: document)
        #expect(answers == expected, "\(text)")
        for place in ["[\(text)]", "[[],\(text)]"] {
            let document = Data(place.utf8)
            let expected = try JSONDecoder().decode([LossyNumbers].self, from: document)
            #expect(try JSONDecoder().decodeFast([LossyNumbers].self, from: document) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32768", "65536", "2147483648", "-2147483649",
        "4294967296", "9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "99999999999999999999", "170141183460469231731687303715884105727",
        "-170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211456",
        "1000000000000000000000000000000000000000000",
    ])
    func `integers at the limits of their types are parsed`(digits: String) throws {
        for end in ["", ".0", ".00", "e0", "E+0", "e-0", ".5", "e1", "e-1", "e2", ".25e2", ".0e-3"] {
            try compare(digits + end)
        }
    }

    @Test(arguments: [
        "0e10000", "-0e99999", "0.0e-99999", "1e-99999", "12345678.12345678", "0.0000000012345678", "100000000",
        "-1234567812345678.5", "12345678000000001e-3", "0.12345678123456781234567812345678", "1e308", "1.8e308",
        "-1e309", "5e-324", "2e-324", "1e-400", "-1e-400", "0e5", "0e0", "0E-5", "0.0e1", "0.00e12",
        "-0.0", "0.1", "0.30000000000000004", "3.4028235e38", "3.4028236e38", "1e-45", "1e-46", "1.0000000000000000001",
        "9007199254740993.0", "9007199254740993.5", "12345678901234567.89", "1234567890123456789.0123456789",
        "184467440737095516.15e2", "18446744073709551616e-1", "0.00000000000000000000000000000000000000000001e60",
        "123456789012345678901234567890e-20", "100000000000000000000000e-5", "1e127", "1e128", "1e-127", "1e-128",
        "1e99999999", "1e-99999999", "1234567890123456789012345678901234567890",
        "0.1234567890123456789012345678901234567890",
    ])
    func `numbers with fractions and exponents are parsed`(text: String) throws { try compare(text) }

    @Test(arguments: 0..<8) func `random numbers are parsed`(seed: UInt64) throws {
        var spelling = NumberSpelling(random: SeededGenerator(seed: 600 + seed))
        for _ in 0..<TestLength.part(of: 400) { try compare(spelling.next()) }
    }

    @Test(arguments: 0..<4) func `numbers of many digits are rounded to the nearest`(seed: UInt64) throws {
        var random = SeededGenerator(seed: 700 + seed)
        for _ in 0..<TestLength.part(of: 5_000) {
            let digits = UInt64.random(in: 1...UInt64.max >> UInt64.random(in: 0...40, using: &random), using: &random)
            try expectNearest("\(digits)e\(Int.random(in: -32...32, using: &random))")
            try expectNearest("-0.\(digits)")
        }
    }

    /// Numbers between two floating-point values, and numbers that differ from the midpoint in a late digit.
    @Test(arguments: 0..<4) func `numbers of more digits than 64 bits hold are rounded to the nearest`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: 900 + seed)
        for _ in 0..<TestLength.part(of: 1_000) {
            let middle = (UInt64.random(in: 1 << 53..<1 << 54, using: &random) | 1)
            let zeros = String(repeating: "0", count: Int.random(in: 4...30, using: &random))
            for end in ["\(zeros)", "\(zeros)1", "\(zeros)1e-9", "\(zeros)e7"] { try expectNearest("\(middle).\(end)") }
            try expectNearest("\(middle - 1).\(String(repeating: "9", count: zeros.count + 5))")
            let digits = (0..<Int.random(in: 20...45, using: &random)).map { _ in Int.random(in: 0...9, using: &random)
            }
            let text = "1" + digits.map(String.init).joined()
            for power in ["", "e-40", "e-20", "e20", "e250", "e-300"] { try expectNearest("\(text)\(power)") }
            try expectNearest("-0.000\(text)")
        }
    }

    @Test func `a number in the middle of two is rounded to the even one`() throws {
        var random = SeededGenerator(seed: 800)
        for _ in 0..<TestLength.part(of: 5_000) {
            // Odd, so that it's between two 53-bit numbers.
            let middle = UInt64.random(in: 1 << 53..<1 << 54, using: &random) | 1
            var digits = middle
            for power in 0...4 {
                for text in ["\(digits)e-\(power)", "\(digits - 1)e-\(power)", "\(digits + 1)e-\(power)"] {
                    try expectNearest(text)
                }
                digits &*= 5
            }
            for power in 1...27 { try expectNearest("\(middle)e\(power)") }
        }
    }

    private func expectNearest(_ text: String) throws {
        let decoded = try JSONDecoder().decodeFast([Double].self, from: Data("[\(text)]".utf8))
        #expect(decoded?.map(\.bitPattern) == Double(text).map { [$0.bitPattern] }, "\(text)")
    }
}

/// Each type's value or error for a number, as text.
private struct Answers: Decodable, Equatable {
    let texts: [String]

    init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer()
        func ask<Value: Decodable>(_ type: Value.Type) -> String {
            do {
                return "\(type) \(try number.decode(type))"
            } catch {
                return "\(type) \(Swift.type(of: error)) \(error)"
            }
        }
        let decimal = try? number.decode(Decimal.self)
        texts = [
            ask(Int.self), ask(Int8.self), ask(Int16.self), ask(Int32.self), ask(Int64.self), ask(Int128.self),
            ask(UInt.self), ask(UInt8.self), ask(UInt16.self), ask(UInt32.self), ask(UInt64.self), ask(UInt128.self),
            ask(Double.self), ask(Float.self), ask(Decimal.self), ask(Bool.self), ask(String.self), ask([Int].self),
            "\(decimal?.exponent ?? 0) \(decimal?.significand ?? 0) \(decimal?.hashValue == decimal?.hashValue)",
        ]
    }
}

/// The numbers in a list that fit their type.
private struct LossyNumbers: Decodable, Equatable {
    var bytes: [UInt8] = []
    var whole: Int?

    init(from decoder: any Decoder) throws {
        whole = try? Int(from: decoder)
        guard var list = try? decoder.unkeyedContainer() else { return }
        while !list.isAtEnd {
            guard let byte = try? list.decode(UInt8.self) else { return }
            bytes.append(byte)
        }
    }
}

/// Random spellings of numbers, most of them near a type's limits.
struct NumberSpelling {
    var random: SeededGenerator

    mutating func next() -> String {
        var text = Bool.random(using: &random) ? "" : "-"
        let whole = digits(0...Int.random(in: 0...24, using: &random))
        let start = whole.drop { $0 == "0" }
        text += start.isEmpty ? "0" : start
        if Int.random(in: 0..<3, using: &random) > 0 {
            text += "." + digits(1...Int.random(in: 1...24, using: &random))
        }
        guard Bool.random(using: &random) else { return text }
        text += ["e", "E", "e+", "e-", "E-"].randomElement(using: &random) ?? "e"
        let power = Int.random(in: 0..<4, using: &random) == 0 ? 0...420 : 0...30
        return text + "\(Int.random(in: power, using: &random))"
    }

    private mutating func digits(_ count: ClosedRange<Int>) -> String {
        let length = Int.random(in: count, using: &random)
        let hasZeros = Bool.random(using: &random)
        return String(
            (0..<length).map { place in
                let isZero = hasZeros && place > length / 3
                return isZero ? "0" : "0123456789".randomElement(using: &random) ?? "0"
            })
    }
}
#endif
