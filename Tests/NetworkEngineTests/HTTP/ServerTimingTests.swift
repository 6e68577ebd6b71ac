import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

@Suite(.timeLimit(.minutes(5))) struct ServerTimingTests {
    private func metrics(_ values: String...) -> [String] {
        let headers = HTTPHeaders(values.map { HTTPHeaders.Field(name: "server-timing", value: $0) })
        return ServerTiming.metrics(in: headers).map {
            "\($0.name) \($0.milliseconds.map { "\($0)" } ?? "-") \($0.text ?? "-")"
        }
    }

    @Test func `names, durations and descriptions are read`() {
        #expect(
            metrics("miss, db;dur=53, app;dur=47.2;desc=\"a, \\\"b\\\"\"") == [
                "miss - -", "db 53.0 -", "app 47.2 a, \"b\"",
            ])
        #expect(metrics("a;DUR=1", "b ; dur = 2 ; desc=c") == ["a 1.0 -", "b 2.0 c"])
    }

    @Test(arguments: ["", ",", ";dur=1", "\"a\"", "a b;dur=1", "ä;dur=1"])
    func `text without a name has no metric`(text: String) {
        #expect(metrics(text).isEmpty)
    }

    @Test(arguments: ["a;dur", "a;dur=", "a;dur=x", "a;dur=-1", "a;dur=nan", "a;dur=inf"])
    func `a duration that is no number is left out`(text: String) {
        #expect(metrics(text).allSatisfy { $0.hasPrefix("a - ") } && metrics(text).count == 1)
    }

    @Test func `the number of metrics is limited`() {
        #expect(metrics((0..<100).map { "m\($0)" }.joined(separator: ",")).count == 32)
        #expect(metrics(String(repeating: "m,", count: 5_000)).isEmpty)
    }
}
