#if !canImport(Darwin)
@testable import NetworkEngineJSON
import Foundation
@testable import NetworkEngine
@testable import NetworkEngineTesting
import TestSupport
import Testing

/// Thousands of random documents: the fast decoder returns the same values and errors as Foundation.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct FastJSONFuzzTests {
    private static let strategies: [JSONDecoder.KeyDecodingStrategy] = [.useDefaultKeys, .convertFromSnakeCase]

    /// Compares the fast decoder's value or error with Foundation's. Returns whether there is a value.
    private func compare<Value: Decodable & Equatable>(_ type: Value.Type, _ text: Data, _ names: Int) -> Bool {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = Self.strategies[names]
        decoder.dateDecodingStrategy = .iso8601
        let expected = Result { try decoder.decode(type, from: text) }
        let words = Comment(rawValue: String(decoding: text, as: UTF8.self))
        do {
            guard let fast = try decoder.decodeFast(type, from: text) else { return false }
            guard case .success(let expected) = expected else { Issue.record(words); return true }
            #expect(fast == expected, Comment(rawValue: difference(fast, expected)))
            return true
        } catch {
            guard case .failure(let expected) = expected else { Issue.record(words); return false }
            // A dictionary's order, and with it its first invalid member, differs from process to process.
            #expect("\(error)" == "\(expected)" || type == NastyJSONTests.Value.self, words)
            return false
        }
    }

    private func difference(_ fast: Any, _ expected: Any) -> String {
        func lines(_ value: Any) -> [Substring] {
            ((value as? Transcript)?.lines ?? []).joined(separator: "\n").split(separator: "\n")
        }
        return zip(lines(fast), lines(expected)).first { $0 != $1 }.map { "\($0), not \($1)" } ?? ""
    }

    @Test(arguments: 0..<8, 0...1)
    func `a fast decoder answers every query like the platform's`(seed: UInt64, names: Int) {
        var text = JSONText(random: SeededGenerator(seed: seed))
        var decoded = 0
        let count = TestLength.part(of: 60)
        for _ in 0..<count where compare(Transcript.self, Data(text.document().utf8), names) { decoded += 1 }
        #expect(decoded == count)
    }

    @Test(arguments: 0..<8, 0...1)
    func `any document decodes to the same value`(seed: UInt64, names: Int) {
        var text = JSONText(random: SeededGenerator(seed: 100 + seed), isModest: false)
        var decoded = 0
        let count = TestLength.part(of: 300)
        for _ in 0..<count where compare(NastyJSONTests.Value.self, Data(text.document().utf8), names) { decoded += 1 }
        #expect(decoded > count / 3)
    }

    @Test(arguments: 0..<8, 0...1)
    func `a damaged document is refused or decodes to the same value`(seed: UInt64, names: Int) {
        var text = JSONText(random: SeededGenerator(seed: 200 + seed), isModest: false)
        for _ in 0..<TestLength.part(of: 600) {
            _ = compare(NastyJSONTests.Value.self, Data(text.damaged(text.document())), names)
        }
    }

    @Test(arguments: 0..<8, 0...1)
    func `objects with many members decode to the same value`(seed: UInt64, names: Int) {
        var text = JSONText(random: SeededGenerator(seed: 300 + seed))
        #expect(compare(Transcript.self, Data(text.object(1, count: 50).utf8), names))
    }

    @Test func `data and dates decode to the same values`() {
        var random = SeededGenerator(seed: 500)
        let letters = Array("ABCabc012+/=="), signs = Array("0123456789-:TZ+. ")
        for _ in 0..<TestLength.part(of: 2_000) {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                letters.randomElement(using: &random)
            }
            _ = compare(Data.self, Data("\"\(String(bytes))\"".utf8), 0)
            var moment = Array("2026-11-22T03:40:00Z")
            let place = Int.random(in: 0..<moment.count, using: &random)
            moment[place] = signs.randomElement(using: &random) ?? "0"
            _ = compare(Date.self, Data("\"\(String(moment))\"".utf8), 0)
        }
    }

    @Test(arguments: 0..<4) func `numbers decode to the same bits`(seed: UInt64) {
        var random = SeededGenerator(seed: 400 + seed)
        for _ in 0..<TestLength.part(of: 2_000) {
            let digits = Int.random(in: 0...999_999_999_999, using: &random)
            let texts = [
                "\(Double(bitPattern: random.next()))", "\(digits)e\(Int.random(in: -40...30, using: &random))",
                "\(digits).\(UInt32.random(in: 0...9_999, using: &random))", "-\(digits)",
            ]
            for text in texts where text != "nan" && !text.contains("inf") {
                _ = compare([Double].self, Data("[\(text)]".utf8), 0)
                _ = compare([Float].self, Data("[\(text)]".utf8), 0)
                _ = compare([Int].self, Data("[\(text)]".utf8), 0)
                _ = compare([Exact].self, Data("[\(text)]".utf8), 0)
            }
        }
    }
}

/// A decimal number with its digits.
private struct Exact: Decodable, Equatable {
    let parts: [String]

    init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Decimal.self)
        parts = ["\(number)", "\(number.exponent)", "\(number.significand)"]
    }
}
#endif
