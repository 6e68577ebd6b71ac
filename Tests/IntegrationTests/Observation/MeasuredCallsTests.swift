import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

/// Metrics and spans of real calls.
@Suite(.timeLimit(.minutes(5))) struct MeasuredCallsTests {
    private let metrics = MetricsRecorder()
    private let spans = Locked<[TraceSpan]>([])
    private let recorder: SpanRecorder

    init() {
        recorder = SpanRecorder { [spans] batch in spans.withLock { $0 += batch } }
    }

    private func client(
        _ transport: any Transport, _ server: LoopbackServer, _ interceptors: [any RequestInterceptor] = []
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.observers = [metrics, recorder]
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    private var recorded: [TraceSpan] {
        get async {
            await recorder.flush()
            return spans.withLock { $0 }
        }
    }

    @Test(arguments: Wire.distinct)
    func `the spans of a call are those that the server received`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .status(503), .redirect(to: "/moved"), .text("hello", headers: ["Server-Timing": "db;dur=2"]))
        let parent = try #require(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        try await wire.withTransport { transport in
            let retry = RetryPolicy(attemptLimit: 2, backoff: .constant(.zero))
            let client = client(transport, server, [TraceContext(), retry])
            _ = try await TraceContext.$current.withValue(parent) { try await client.send(.get("/a?token=secret")) }
        }
        let spans = await recorded
        let received = server.requests.map { $0.headers["traceparent"] }
        #expect(spans.map { "00-\($0.traceID)-\($0.spanID)-01" } == received)
        #expect(spans.allSatisfy { $0.traceID == parent.traceID && $0.parentID == parent.parentID })
        #expect(spans.map { $0.attributes["http.response.status_code"] } == [503, 302, 200])
        #expect(spans.map { $0.attributes["http.request.resend_count"] } == [nil, 1, 2])
        #expect(spans.map(\.status) == [.error, .unset, .unset])
        #expect(spans.allSatisfy { $0.attributes["server.port"] == .int(server.url.port ?? 0) && $0.end >= $0.start })
        // URLSession on Linux doesn't report the protocol.
        let versions = Set(spans.map { $0.attributes["network.protocol.version"] })
        #expect(versions == ["1.1"] || (!wire.isCurl && versions == [nil]))
        #expect(!spans.contains { "\($0)".contains("secret") })
        #expect(spans.last?.events.contains { $0.attributes["name"] == "db" } == true)
    }

    @Test(arguments: Wire.distinct)
    func `calls, retries and redirects are counted`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(503), .redirect(to: "/moved"), .text("hello"), .status(404))
        try await wire.withTransport { transport in
            let client = client(transport, server, [RetryPolicy(attemptLimit: 2, backoff: .constant(.zero))])
            _ = try await client.send(.get("/a"))
            await #expect(throws: NetworkError.self) { try await client.send(.get("/b")) }
        }
        let snapshot = metrics.snapshot()
        let statuses = snapshot.requests.map { "\($0.key.statusCode ?? 0) \($0.value.count)" }.sorted()
        #expect(statuses == ["200 1", "302 1", "404 1", "503 1"])
        #expect(snapshot.calls.map { "\($0.key.statusCode ?? 0) \($0.value.count)" }.sorted() == ["200 1", "404 1"])
        #expect(snapshot.retries.values.map(\.self) == [1] && snapshot.redirects.values.map(\.self) == [1])
        #expect(snapshot.callsInFlight == 0 && snapshot.droppedCalls == 0)
        #expect(snapshot.bytesReceived.values.reduce(0, +) >= 5)
    }

    @Test(arguments: Wire.distinct)
    func `a canceled call and a lost connection are told apart`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .text("hello").fault(.reset, at: .responseBody(afterBytes: 2)), .text("late").delayed(by: .seconds(600)))
        try await wire.withTransport { transport in
            let client = client(transport, server)
            await #expect(throws: NetworkError.self) { try await client.send(.get("/lost")) }
            let call = Task { try await client.send(.get("/late")) }
            _ = try await server.requests(atLeast: 2)
            call.cancel()
            _ = await call.result
        }
        let spans = await recorded
        #expect(spans.map(\.status) == [.error, .unset])
        #expect(spans.map { $0.attributes["error.type"]?.description } == ["lost", "cancelled"])
    }
}
