#if !canImport(Darwin)
@testable import NetworkEngineJSON
import Foundation
@testable import NetworkEngine
@testable import NetworkEngineTesting
import TestSupport
import Testing

/// Lists and dictionaries read without a decoder: the same values and errors as from Foundation.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct JSONCollectionTests {
    private struct Everything: Decodable, Equatable {
        var texts: [String]?
        var whole: [Int]?
        var points: [[Double]]?
        var flags: [Bool]?
        var deep: [[[String]]]?
        var names: [String: String]?
        var counts: [String: Int]?
        var lists: [String: [Int]]?
        var rows: [[String: String]]?
    }

    /// Generates documents in which most elements have the requested type.
    private struct Maker {
        var random: SeededGenerator

        private mutating func one(of texts: [String]) -> String { texts.randomElement(using: &random) ?? "0" }

        private mutating func strange() -> String {
            one(of: ["null", "1.5", "\"x\"", "true", "[]", "{}", "0e5", "1e400", "12345678901234567890", "[1]"])
        }

        private mutating func list(_ element: (inout Self) -> String) -> String {
            let isDamaged = Int.random(in: 0..<4, using: &random) == 0
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                isDamaged && Bool.random(using: &random) ? strange() : element(&self)
            }
            return "[\(elements.joined(separator: ", "))]"
        }

        private mutating func object(_ element: (inout Self) -> String) -> String {
            let names = ["a", "b", "b", "user_name", "\\u0061", "é", "e\u{301}", "", "x\\ny"]
            let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                let isStrange = Int.random(in: 0..<12, using: &random) == 0
                return "\"\(one(of: names))\" : \(isStrange ? strange() : element(&self))"
            }
            return "{\(members.joined(separator: ","))}"
        }

        private mutating func text() -> String {
            one(of: ["\"\"", "\"plain\"", "\"\\u00e9\\n\"", "\"größer\"", "\"😀\""])
        }
        private mutating func int() -> String { one(of: ["0", "-0", "7", "-12", "9223372036854775807", "1.0", "1e2"]) }
        private mutating func double() -> String {
            one(of: ["0", "-0.0", "0.1", "-65.61361699999998", "1e22", "7e-30"])
        }

        mutating func document() -> String {
            let members = [
                "\"texts\":\(list { $0.text() })", "\"whole\":\(list { $0.int() })",
                "\"points\":\(list { $0.list { $0.double() } })", "\"flags\":\(list { $0.one(of: ["true", "false"]) })",
                "\"deep\":\(list { $0.list { $0.list { $0.text() } } })", "\"names\":\(object { $0.text() })",
                "\"counts\":\(object { $0.int() })", "\"lists\":\(object { $0.list { $0.int() } })",
                "\"rows\":\(list { $0.object { $0.text() } })",
            ]
            // A document with one member, because the first error ends decoding.
            return "{\(one(of: members))}"
        }
    }

    @Test(arguments: 0..<4, [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase])
    func `lists and dictionaries decode to the same values or errors`(
        seed: UInt64,
        names: JSONDecoder.KeyDecodingStrategy
    ) throws {
        var maker = Maker(random: SeededGenerator(seed: 900 + seed))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = names
        var values = 0
        for _ in 0..<TestLength.part(of: 1_500) {
            let text = maker.document()
            let data = Data(text.utf8)
            let expected = Result { try decoder.decode(Everything.self, from: data) }
            do {
                guard let fast = try decoder.decodeFast(Everything.self, from: data) else { continue }
                values += 1
                #expect(try fast == expected.get(), "\(text)")
            } catch {
                guard case .failure(let expected) = expected else {
                    Issue.record("\(error) for \(text)")
                    continue
                }
                // A dictionary's first invalid member differs from process to process.
                #expect("\(error)" == "\(expected)" || text.contains(" : "), "\(text)")
            }
        }
        #expect(values > TestLength.part(of: 700))
    }

    @Test func `zeros keep their signs`() throws {
        let data = Data("[0, -0, 0.0, -0.0]".utf8)
        let expected = try JSONDecoder().decode([Double].self, from: data)
        let fast = try JSONDecoder().decodeFast([Double].self, from: data)
        #expect(fast?.map(\.sign) == expected.map(\.sign))
    }
}
#endif
