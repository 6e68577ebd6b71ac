import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Span identifiers, and where they come from.
@Suite(.timeLimit(.minutes(5))) struct SpanIdentityTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private func header(_ span: String, sampled: Bool = true) -> String {
        "00-\(Self.trace)-\(span)-\(sampled ? "01" : "00")"
    }

    /// The spans of a call that sends its exchanges with these headers.
    private func spans(
        call: HTTPHeaders = [:], parent: TraceParent? = nil, sent: [HTTPHeaders]
    ) async -> [TraceSpan] {
        let spans = Locked<[TraceSpan]>([])
        let recorder = SpanRecorder { batch in spans.withLock { $0 += batch } }
        var events = EventSequence(recorder)
        events.begin(EventSequence.request(headers: call), parent: parent)
        for headers in sent {
            events.beginExchange(EventSequence.request(headers: headers))
            events.respond(200, EventSequence.request())
        }
        await recorder.flush()
        return spans.withLock { $0 }
    }

    @Test func `the identifiers are those that were sent`() async {
        let spans = await spans(
            parent: TraceParent(header("1111111111111111")),
            sent: [
                ["traceparent": header("2222222222222222"), "tracestate": "a=1"],
                ["traceparent": header("3333333333333333")],
            ])
        #expect(spans.map(\.spanID) == ["2222222222222222", "3333333333333333"])
        #expect(spans.map(\.parentID) == ["1111111111111111", "1111111111111111"])
        #expect(spans.allSatisfy { $0.traceID == Self.trace } && spans[0].state?.description == "a=1")
    }

    @Test func `a call that began its trace has spans without a parent`() async {
        let spans = await spans(sent: [["traceparent": header("2222222222222222")], [:]])
        #expect(spans.map(\.parentID) == [nil, nil])
        #expect(spans.map(\.traceID) == [Self.trace, Self.trace] && spans[1].spanID != spans[0].spanID)
    }

    @Test func `without headers the trace of the caller is continued`() async {
        let spans = await spans(parent: TraceParent(header("1111111111111111")), sent: [[:], [:]])
        #expect(spans.allSatisfy { $0.traceID == Self.trace && $0.parentID == "1111111111111111" })
        #expect(Set(spans.map(\.spanID)).count == 2)
    }

    @Test func `a header that its author set is the parent, not the span`() async {
        let own: HTTPHeaders = ["traceparent": header("1111111111111111")]
        let spans = await spans(call: own, sent: [own, own, ["traceparent": header("2222222222222222")]])
        #expect(spans.allSatisfy { $0.traceID == Self.trace && $0.parentID == "1111111111111111" })
        #expect(Set(spans.map(\.spanID) + ["1111111111111111"]).count == 4 && spans[2].spanID == "2222222222222222")
    }

    @Test func `a parent of another trace is not a parent`() async {
        let other = TraceParent("00-11111111111111111111111111111111-2222222222222222-01")
        let spans = await spans(parent: other, sent: [["traceparent": header("3333333333333333")]])
        #expect(spans.map(\.parentID) == [nil] && spans.map(\.traceID) == [Self.trace])
    }

    @Test func `a trace that is not sampled has no spans`() async {
        #expect(await spans(sent: [["traceparent": header("2222222222222222", sampled: false)]]).isEmpty)
        #expect(await spans(parent: TraceParent(header("1111111111111111", sampled: false)), sent: [[:]]).isEmpty)
    }

    @Test func `a recorder and a context give the same identifiers`() async throws {
        let spans = Locked<[TraceSpan]>([])
        let recorder = SpanRecorder { batch in spans.withLock { $0 += batch } }
        let parent = TraceParent(header("1111111111111111"))
        var events = EventSequence(recorder)
        events.begin(EventSequence.request(), parent: parent)
        let request = try await TraceContext.$current.withValue(parent) {
            try await TraceContext().adapt(EventSequence.request(), context: RequestContext())
        }
        events.beginExchange(request)
        events.respond(200, request)
        await recorder.flush()
        let span = spans.withLock { $0.first }
        #expect(request.headers["traceparent"] == "00-\(Self.trace)-\(span?.spanID ?? "")-01")
        #expect(span?.parentID == "1111111111111111")
    }
}
