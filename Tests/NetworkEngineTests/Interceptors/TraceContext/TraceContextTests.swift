import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct TraceContextTests {
    private let parent = TraceParent(
        traceID: "4bf92f3577b34da6a3ce929d0e0e4736", parentID: "00f067aa0ba902b7", isSampled: true,
        state: TraceState("rojo=1,congo=2"))

    private func client(
        _ mock: MockTransport, _ trace: TraceContext = TraceContext(),
        with others: [any RequestInterceptor] = []
    ) throws -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let url = try #require(URL(string: "https://api.test"))
        return HTTPClient(baseURL: url, interceptors: [trace] + others, configuration: configuration)
    }

    private func spans(_ mock: MockTransport) throws -> [TraceParent] {
        try mock.requests.map { request in
            let span = try #require(TraceParent(request.headers["traceparent"] ?? ""))
            #expect(span.description == request.headers["traceparent"])
            return span
        }
    }

    @Test func `retries and redirects are spans of one trace`() async throws {
        let mock = MockTransport(
            .status(503), .redirect(to: "https://other.test/x"), .redirect(to: "/y"), .status(200), .status(200))
        let client = try client(mock, with: [RetryPolicy(attemptLimit: 2, backoff: .constant(.zero))])
        _ = try await client.send(.get("/a"))
        _ = try await client.send(.get("/b"))
        let spans = try spans(mock)
        #expect(spans.count == 5 && Set(spans.map(\.parentID)).count == 5)
        #expect(Set(spans.prefix(4).map(\.traceID)).count == 1 && spans[4].traceID != spans[0].traceID)
        #expect(mock.requests.allSatisfy { $0.headers["tracestate"] == nil })
    }

    @Test(arguments: [nil, Duration.seconds(60)])
    func `calls continue the trace of their task`(deadline: Duration?) async throws {
        let mock = MockTransport(.text("{}").repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        configuration.deadline = deadline
        let provider = NetworkProvider<API>(interceptors: [TraceContext()], configuration: configuration)
        try await TraceContext.$current.withValue(parent) {
            _ = try await provider.send(.plain)
            let _: EmptyBody = try await provider.request(.plain)
            let _: EmptyBody = try await provider.start(.plain).value
            async let child = provider.send(.plain)
            _ = try await child
        }
        await withCheckedContinuation { ended in
            _ = TraceContext.$current.withValue(parent) {
                provider.request(.plain, as: EmptyBody.self, queue: .global()) { _ in ended.resume() }
            }
        }
        let spans = try spans(mock)
        #expect(spans.count == 5 && spans.allSatisfy { $0.traceID == parent?.traceID && $0.isSampled })
        #expect(Set(spans.map(\.parentID) + [parent?.parentID]).count == 6)
        #expect(mock.requests.allSatisfy { $0.headers["tracestate"] == "rojo=1,congo=2" })
    }

    @Test func `a valid header of the request is the parent, and an invalid one is replaced`() async throws {
        let mock = MockTransport(.status(200).repeating())
        let client = try client(mock)
        let own = "00-11111111111111111111111111111111-2222222222222222-00"
        try await TraceContext.$current.withValue(parent) {
            _ = try await client.send(.get("/a", headers: ["traceparent": own, "tracestate": "a=1"]))
            _ = try await client.send(.get("/b", headers: ["traceparent": own, "tracestate": "A=1"]))
            _ = try await client.send(.get("/c", headers: ["traceparent": own + "0", "tracestate": "a=1"]))
        }
        let spans = try spans(mock)
        #expect(spans.prefix(2).allSatisfy { $0.traceID.hasPrefix("1111") && !$0.isSampled })
        #expect(!spans.contains { $0.parentID == "2222222222222222" })
        #expect(spans[2].traceID == parent?.traceID)
        #expect(mock.requests.map { $0.headers["tracestate"] } == ["a=1", nil, "rojo=1,congo=2"])
    }

    @Test func `the decision about sampling is made once for each trace`() async throws {
        let mock = MockTransport(.redirect(to: "/x"), .status(200))
        let asked = Locked(0)
        let trace = TraceContext(samples: {
            asked.withLock { $0 += 1 }
            return false
        })
        _ = try await client(mock, trace).send(.get("/a"))
        #expect(try spans(mock).allSatisfy { !$0.isSampled } && mock.requests.count == 2)
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func `with a list of origins, other origins get no header`() async throws {
        let mock = MockTransport(
            .redirect(to: "https://other.test/x"), .redirect(to: "https://API.test:443/y"), .status(200))
        let trace = TraceContext(origins: [try #require(URL(string: "https://api.test"))])
        _ = try await client(mock, trace).send(.get("/a"))
        #expect(mock.requests.map { $0.headers.contains("traceparent") } == [true, false, true])
    }

    @Test func `traced calls share an exchange`() async throws {
        let clock = TestClock()
        let mock = MockTransport(.text("{}").delayed(by: .seconds(1)), clock: clock)
        let sharing = Deduplication()
        let client = try client(mock, with: [sharing])
        async let first = client.send(.get("/a"))
        async let second = client.send(.get("/a"))
        await clock.untilSleeping()
        while sharing.waitingCalls < 2 { await Task.yield() }
        clock.advance(by: .seconds(1))
        _ = try await (first, second)
        #expect(mock.requests.count == 1)
    }
}
