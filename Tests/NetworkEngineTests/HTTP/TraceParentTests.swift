import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"
    private static let sample = "00-\(trace)-\(span)-01"

    @Test func `the fields of a header are read, and written again`() throws {
        let parent = try #require(TraceParent(Self.sample))
        #expect(parent.traceID == Self.trace && parent.parentID == Self.span && parent.isSampled)
        #expect(parent.description == Self.sample)
    }

    @Test(arguments: zip(0..<16, "0123456789abcdef"))
    func `the lowest flags say whether the trace is sampled and random, and unknown flags are dropped`(
        value: Int, digit: Character
    ) throws {
        let parent = try #require(TraceParent("00-\(Self.trace)-\(Self.span)-f\(digit)"))
        #expect(parent.isSampled == !value.isMultiple(of: 2))
        #expect(parent.isRandom == (value & 2 != 0))
        #expect(parent.description.hasSuffix("-0\(value & 3)"))
        #expect(parent.sibling { 1 }.description.hasSuffix("-0\(value & 3)"))
    }

    @Test(arguments: [
        "", "00", "ff-\(trace)-\(span)-01", "\(sample)-", "\(sample)-00", "00-\(trace)-\(span)-0", "\(sample)0",
        "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-0000000000000000-01",
        "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span)-0G", "00-\(trace)-\(span)-0A",
        "0.-\(trace)-\(span)-01",
        "00_\(trace)-\(span)-01", "00-\(trace.dropLast())-\(span)--01", "01-\(trace)-\(span)-01x",
        "01-\(trace)-\(span)-01.x", "00-\(trace.dropLast(2))é-\(span)-01", " \(sample)", "\(sample), \(sample)",
    ])
    func `an invalid header is no parent`(text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test(arguments: ["01-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-what-comes", "fe-\(trace)-\(span)-09-"])
    func `a later version may be longer, and is sent as this version`(text: String) {
        #expect(TraceParent(text)?.description == Self.sample)
    }

    @Test func `identifiers are checked`() {
        #expect(TraceParent(traceID: Self.trace, parentID: Self.span)?.description == Self.sample)
        #expect(TraceParent(traceID: Self.trace, parentID: Self.span, isSampled: false)?.isSampled == false)
        #expect(TraceParent(traceID: Self.span, parentID: Self.trace) == nil)
        #expect(TraceParent(traceID: Self.trace, parentID: "0000000000000000") == nil)
    }

    @Test func `a source of zeros makes valid identifiers`() {
        let root = TraceParent.root(isSampled: true) { 0 }
        #expect(TraceParent(root.description) == root)
        #expect(TraceParent(root.sibling { 0 }.description) != nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct TraceStateTests {
    @Test(arguments: [
        ("a=1", "a=1"), ("a=1,b=2", "a=1,b=2"), (" a=1 ,\t b=2 ", "a=1,b=2"), ("a=1,,b=2,", "a=1,b=2"),
        ("a=1,a=2", "a=1"), ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
        ("fw529a3039@dt=FfAAAA~", "fw529a3039@dt=FfAAAA~"), ("0a@b=1", "0a@b=1"), ("a_-*/9=!~", "a_-*/9=!~"),
        ("a=b c", "a=b c"), ("1a@b=1", "1a@b=1"),
        ("tenant@a-very-long-system=1,b=2", "tenant@a-very-long-system=1,b=2"),
    ])
    func `a valid list is kept`(text: String, kept: String) {
        #expect(TraceState(text)?.description == kept)
    }

    private static let invalid: [String] = [
        "", " ", ",", "a", "=1", "a=", "A=1", "a =1", "a=1=2", "a=1,b", "a=é", "a=\u{7F}", "a=1\n", "@b=1",
        "a@B=1",
    ]

    private static let tooLong: [String] = [
        String(repeating: "a", count: 255) + "@b=1",
        String(repeating: "a", count: 257) + "=1", "a=" + String(repeating: "b", count: 257),
        (0...32).map { "k\($0)=1" }.joined(separator: ","), String(repeating: " ", count: 1 << 16),
    ]

    @Test(arguments: invalid + tooLong)
    func `an invalid list is dropped whole`(text: String) {
        #expect(TraceState(text) == nil)
    }

    @Test func `32 members and the longest keys and values are valid`() {
        let members = (0..<32).map { "k\($0)=1" }.joined(separator: ",")
        #expect(TraceState(members)?.members.count == 32)
        let longest = "\(String(repeating: "a", count: 241))@\(String(repeating: "b", count: 14))=1"
        #expect(TraceState(longest)?.description == longest)
    }

    @Test func `a list of more than 512 characters loses its long members first, then those at its end`() {
        let long = "long=" + String(repeating: "x", count: 150)
        let short = (0..<9).map { "k\($0)=" + String(repeating: "y", count: 60) }
        let list = [short[0], long] + short.dropFirst()
        #expect(TraceState(list.joined(separator: ","))?.description == short.dropLast().joined(separator: ","))
    }
}

/// Random texts made from parts of valid ones. No text crashes the parsers, and accepted texts can be read again.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct TraceFuzzTests {
    private static let parts = [
        "00", "01", "ff", "-", "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", "0", "a", "g", "A", "=", "@",
        ",", ";",
        "\"", "\\", " ", "\t", "é", "\u{0}", "dur=1.5", "desc=\"x\"", "dur=-1", "dur=nan", "dur=1e999", "cache", "a=1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", String(repeating: "z", count: 300),
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in Self.parts.randomElement(using: &random) }
            .joined()
    }

    @Test func `what a parser accepts, it reads again`() {
        var accepted = 0
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<40 {
                let text = text(&random)
                if let parent = TraceParent(text) {
                    accepted += 1
                    guard TraceParent(parent.description) == parent else { return complain("seed \(seed): \(text)") }
                }
                if let state = TraceState(text) {
                    accepted += 1
                    guard TraceState(state.description) == state, state.description.utf8.count <= 512 else {
                        return complain("seed \(seed): \(text)")
                    }
                }
                let metrics = ServerTiming.metrics(in: ["Server-Timing": text])
                guard metrics.allSatisfy({ $0.name.isToken && ($0.milliseconds ?? 0) >= 0 }) else {
                    return complain("seed \(seed): \(text)")
                }
                accepted += metrics.count
            }
        }
        #expect(accepted > 1_000)
    }
}
