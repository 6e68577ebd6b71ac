#if !canImport(Darwin)
import Foundation
@testable import NetworkEngine
import NetworkEngineJSON
@testable import NetworkEngineTesting
import TestSupport
import Testing

/// Consecutive documents decoded in the same memory.
@Suite(.timeLimit(.minutes(5))) struct JSONSeriesTests {
    private static func slowly<Value: Decodable>(_ type: Value.Type) -> (Data) throws -> Value {
        { try JSONDecoder().decodeSafely(type, from: $0) }
    }

    @Test(arguments: 0..<8)
    func `each document of a series decodes as it does alone`(seed: UInt64) {
        var random = SeededGenerator(seed: 600 + seed)
        var text = JSONText(random: SeededGenerator(seed: 700 + seed), isModest: false)
        var series = JSONSeries(JSONDecoder())
        for number in 0..<TestLength.part(of: 600) {
            let document = text.document()
            var bytes = number % 3 == 0 ? text.damaged(document) : Array(document.utf8)
            if number % 200 == 0 {
                let numbers = String(repeating: "\(number),", count: TestLength.part(of: 20_000))
                bytes = Array("[\(numbers)0]".utf8)
            }
            // A slice that doesn't start at 0.
            let slice = ([0] + bytes)[1...]
            switch Int.random(in: 0...2, using: &random) {
            case 0: check(NastyJSONTests.Value.self, slice, &series)
            case 1: check(Int.self, slice, &series)
            default: check([String: Double?]?.self, slice, &series)
            }
        }
    }

    /// If a dictionary contains several mistakes, the reported one varies.
    private func check<Value: Decodable & Equatable>(
        _ type: Value.Type, _ text: ArraySlice<UInt8>, _ series: inout JSONSeries
    ) {
        let alone = try? JSONDecoder().decodeSafely(type, from: Data(text))
        let inSeries = try? series.decode(type, from: text, otherwise: Self.slowly(type))
        #expect(inSeries == alone, "\(String(decoding: text, as: UTF8.self))")
    }

    @Test func `copies of a series decode at the same time`() throws {
        var used = JSONSeries(JSONDecoder())
        _ = try used.decode(Int.self, from: Array("1".utf8)[...], otherwise: Self.slowly(Int.self))
        nonisolated(unsafe) let series = used
        let wrong = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            var copy = series
            for number in 0..<2_000 {
                let text = Array(#"{"worker":\#(worker),"number":\#(number)}"#.utf8)
                let value = try? copy.decode(
                    [String: Int].self, from: text[...], otherwise: Self.slowly([String: Int].self))
                if value != ["worker": worker, "number": number] { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test func `a decoder that a type keeps is not changed by the next document`() throws {
        struct Keeping: Decodable {
            @TaskLocal static var kept: Locked<(any Decoder)?>?
            struct Refused: Error {}
            init(from decoder: any Decoder) throws {
                Self.kept?.withLock { $0 = decoder }
                throw Refused()
            }
        }
        let kept = Locked<(any Decoder)?>(nil)
        var series = JSONSeries(JSONDecoder())
        try Keeping.$kept.withValue(kept) {
            #expect(throws: Keeping.Refused.self) {
                try series.decode(
                    Keeping.self, from: Array(#""first""#.utf8)[...], otherwise: Self.slowly(Keeping.self))
            }
            let next = try series.decode(
                String.self, from: Array(#""other""#.utf8)[...], otherwise: Self.slowly(String.self))
            let first = try kept.withLock { try $0?.singleValueContainer().decode(String.self) }
            #expect(next == "other" && first == "first")
        }
    }

    @Test func `a series leaves documents to a decoder with settings of its own`() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        var series = JSONSeries(decoder)
        var texts: [String] = []
        let value = try series.decode(Int.self, from: Array("0x10".utf8)[...]) {
            texts.append(String(decoding: $0, as: UTF8.self))
            return 16
        }
        #expect(value == 16 && texts == ["0x10"])
    }
}
#endif
