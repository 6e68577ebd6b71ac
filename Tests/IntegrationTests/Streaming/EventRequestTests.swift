import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

/// How often a request for events reaches a server.
@Suite(.timeLimit(.minutes(5))) struct EventRequestTests {
    fileprivate static let text = "data: a\n\ndata: b\n\n"

    enum Ending: CaseIterable, Sendable {
        case complete, cut, closed, refused

        var response: LoopbackResponse {
            let whole = LoopbackResponse.data(Data(EventRequestTests.text.utf8), type: "text/event-stream")
            return switch self {
            case .complete: whole
            case .cut: whole.fault(.reset, at: .responseBody(afterBytes: 9))
            case .closed: .fault(.close)
            case .refused: .status(503)
            }
        }
    }

    @Test(arguments: Wire.distinct, Ending.allCases)
    func `a POST for events is sent once, whatever becomes of its response`(wire: Wire, ending: Ending) async throws {
        try await wire.withTransport(connections: 1) { transport in
            for limit in [0, 10] {
                let server = try LoopbackServer { _ in ending.response }
                var configuration = NetworkConfiguration()
                configuration.transport = transport
                let client = HTTPClient(baseURL: server.url, configuration: configuration)
                var events = client.events(.post("/chat").json(["q": "?"]))
                (events.reconnectLimit, events.retryDelay, events.minimumRetryDelay) = (limit, .zero, .zero)
                var read: [String] = []
                var failure: NetworkError?
                var iterator = events.makeAsyncIterator()
                do throws(NetworkError) {
                    while let event = try await iterator.next() { read.append(event.data) }
                } catch {
                    failure = error
                }
                #expect((failure == nil) == (ending == .complete))
                #expect(read == (ending == .complete ? ["a", "b"] : ending == .cut ? ["a"] : []))
                #expect(server.record.requestCount == 1)
            }
        }
    }

    @Test(arguments: Wire.distinct)
    func `the last event is known after a cut, and a GET resumes after it`(wire: Wire) async throws {
        try await wire.withTransport(connections: 1) { transport in
            let server = try LoopbackServer()
            let first = LoopbackResponse.data(Data("id: 1\ndata: 1\n\nid: 2\ndata: 2".utf8), type: "text/event-stream")
            server.enqueue(
                first.fault(.reset, at: .responseBody(afterBytes: 20)),
                .data(Data("id: 2\ndata: 2\n\n".utf8), type: "text/event-stream"))
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            let values = try await client.stream(.post("/chat").json(["q": "?"])).events(as: Int.self)
            var read: [Int] = []
            let error = await #expect(throws: NetworkError.self) {
                for try await value in values { read.append(value) }
            }
            #expect(error?.transportFailure == .lostMidBody && values.lastEventID == "1")
            let rest = try await client.stream(.get("/chat").header("Last-Event-ID", values.lastEventID))
            for try await value in rest.events(as: Int.self) { read.append(value) }
            #expect(read == [1, 2] && server.requests.last?.headers["Last-Event-ID"] == "1")
        }
    }

    @Test(arguments: Wire.distinct)
    func `an event that reports a failure ends the connection`(wire: Wire) async throws {
        struct Overloaded: Error {}
        try await wire.withTransport(connections: 1) { transport in
            let text = "data: a\n\nevent: error\ndata: {}\n\n"
            let server = try LoopbackServer { _ in
                .data(Data((text + "data: b\n\n").utf8), type: "text/event-stream")
                    .fault(.stall, at: .responseBody(afterBytes: text.utf8.count))
            }
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            var events = try await client.stream(.post("/chat")).events()
            events.failure = { $0.name == "error" ? Overloaded() : nil }
            let error = await #expect(throws: NetworkError.self) { for try await _ in events {} }
            #expect(error?.underlying is Overloaded)
            _ = try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(arguments: Wire.distinct)
    func `a refused POST for events is sent again before its first byte, and never after it`(wire: Wire) async throws {
        try await wire.withTransport(connections: 1) { transport in
            let server = try LoopbackServer()
            server.enqueue(
                .status(429, headers: ["Retry-After": "0"]), Ending.complete.response,
                .status(429, headers: ["Retry-After": "0"]), Ending.cut.response)
            var policy = RetryPolicy(backoff: .constant(.zero), random: { 1 })
            policy.refusalStatuses = [429]
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, interceptors: [policy], configuration: configuration)
            var read: [String] = []
            for try await event in try await client.stream(.post("/chat").json(["q": "?"])).events() {
                read.append(event.data)
            }
            #expect(read == ["a", "b"] && server.record.requestCount == 2)
            let cut = try await client.stream(.post("/chat").json(["q": "?"])).events()
            await #expect(throws: NetworkError.self) { for try await _ in cut {} }
            #expect(server.record.requestCount == 4)
        }
    }

    @Test(arguments: Wire.distinct)
    func `the events of a streamed POST arrive while the response does`(wire: Wire) async throws {
        let barrier = LoopbackBarrier()
        try await wire.withTransport(connections: 1) { transport in
            let server = try LoopbackServer { _ in
                Ending.complete.response.held(by: barrier, at: .responseBody(afterBytes: 9))
            }
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            var events = try await client.stream(.post("/chat")).events().makeAsyncIterator()
            #expect(try await events.next()?.data == "a")
            barrier.open()
            #expect(try await events.next()?.data == "b")
            let end = try await events.next()
            #expect(end == nil && server.record.requestCount == 1)
        }
    }
}
