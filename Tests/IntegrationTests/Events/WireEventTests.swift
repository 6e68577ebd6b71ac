import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The contents of an exchange's events, over every transport.
@Suite(.timeLimit(.minutes(5))) struct WireEventTests {
    private let log = EventLog()

    private func withClient(
        _ wire: Wire, _ server: LoopbackServer, _ body: (HTTPClient) async throws -> Void
    ) async throws {
        try await wire.withTransport(connections: 1) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            configuration.observers = [log]
            try await body(HTTPClient(baseURL: server.url, configuration: configuration))
        }
    }

    private var exchangeEnds: [NetworkEvent.ExchangeEnd] {
        log.events.compactMap { event in if case .exchangeEnded(let end) = event.kind { end } else { nil } }
    }

    @Test(arguments: Wire.distinct)
    func `an exchange has a head, progress, metrics and a response`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text(String(repeating: "x", count: 1_000), headers: ["X-A": "1"]) }
        try await withClient(wire, server) { client in
            let body = Data(repeating: 1, count: 3_000)
            _ = try await client.send(Endpoint(path: "/a", method: .post, body: body))
        }
        #expect(log.faults == [] && log.outcomes == [nil])
        let end = try #require(exchangeEnds.first)
        let response = try end.result.get()
        #expect(response.data.count == 1_000)
        let metrics = try #require(end.metrics)
        #expect(metrics.bytesSent == 3_000 && metrics.bytesReceived == 1_000)
        let first = try #require(metrics.firstByte)
        let total = try #require(metrics.total)
        #expect(metrics.queued != nil && first <= total)
        for event in log.events {
            switch event.kind {
            case .exchangeStarted(let request): #expect(request.url.path == "/a")
            case .responded(let head): #expect(head.statusCode == 200 && head.headers["X-A"] == "1")
            default: break
            }
        }
        let totals = log.events.compactMap { event -> Int64? in
            if case .progressed(let progress) = event.kind { progress.completed } else { nil }
        }
        #expect(totals.contains(3_000) && totals.contains(1_000))
    }

    @Test(arguments: Wire.distinct)
    func `what the transport cannot know is not invented`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("a") }
        try await withClient(wire, server) { client in
            for _ in 0..<2 { _ = try await client.send(.get("/")) }
        }
        let ends = exchangeEnds
        let connections = log.events.compactMap { event -> NetworkEvent.Connection? in
            if case .connected(let connection) = event.kind { connection } else { nil }
        }
        #expect(ends.count == 2)
        guard wire.isCurl else {
            #expect(connections.isEmpty)
            #expect(ends.allSatisfy { $0.metrics?.remoteAddress == nil && $0.metrics?.requestSent == nil })
            return
        }
        #expect(connections.map(\.isReused) == [false, false, true, true])
        #expect(connections.map(\.networkProtocol) == [nil, "http/1.1", nil, "http/1.1"])
        #expect(connections.allSatisfy { $0.remoteAddress == "127.0.0.1" && $0.remotePort == Int(server.port) })
        #expect(connections.allSatisfy { $0.isSecure == false })
        #expect(ends.map(\.metrics?.isConnectionReused) == [false, true])
        #expect(ends.map(\.metrics?.networkProtocol) == ["http/1.1", "http/1.1"])
        #expect(ends.map(\.metrics?.remoteAddress) == ["127.0.0.1", "127.0.0.1"])
        #expect(ends.map { ($0.metrics?.connecting == nil) } == [false, true])
        for metrics in ends.compactMap(\.metrics) {
            let sent = try #require(metrics.requestSent)
            let first = try #require(metrics.firstByte)
            #expect(sent <= first)
        }
    }

    @Test(arguments: Wire.distinct)
    func `an exchange that waits for a permit says so`(wire: Wire) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in LoopbackResponse.text("a").held(by: barrier, at: .responseStart) }
        try await withClient(wire, server) { client in
            async let first = client.send(.get("/1"))
            _ = try await server.wait { $0.requests.count == 1 }
            async let second = client.send(.get("/2"))
            while !log.names.contains("queued") { await Task.yield() }
            #expect(log.names.filter { $0 == "admitted" }.count == 1)
            barrier.open()
            _ = try await (first, second)
        }
        #expect(log.names.filter { $0 == "admitted" }.count == 2)
        #expect(log.faults == [] && log.outcomes == [nil, nil])
    }

    @Test(arguments: Wire.distinct)
    func `a lost connection ends its exchange with the error`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .fault(.reset) }
        try await withClient(wire, server) { client in _ = try? await client.send(.get("/")) }
        #expect(exchangeEnds.map(\.result.kind) == [.connection] && log.outcomes == [.connection])
        #expect(log.faults == [])
        if wire.isCurl { #expect(exchangeEnds.first?.metrics?.remoteAddress == "127.0.0.1") }
    }

    /// libcurl starts to resend the request, and is stopped.
    @Test(arguments: Wire.distinct.filter(\.isCurl))
    func `a POST that is not sent again has no resends`(wire: Wire) async throws {
        let server = try LoopbackServer { $0.method == "POST" ? .fault(.reset, at: .responseStart) : .text("kept") }
        try await withClient(wire, server) { client in
            _ = try await client.send(.get("/"))
            _ = try? await client.send(.post("/").body(Data("a".utf8)))
        }
        #expect(server.requests.count == 2)
        #expect(exchangeEnds.map(\.metrics?.resends) == [0, 0])
    }

    @Test(arguments: Wire.distinct)
    func `the call of a stream ends with its body, and has its size`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text(String(repeating: "x", count: 100_000)) }
        try await withClient(wire, server) { client in
            let stream = try await client.stream(.get("/"))
            #expect(log.outcomes == [])
            for try await _ in stream {}
        }
        #expect(log.outcomes == [nil] && log.faults == [])
        #expect(exchangeEnds.first?.metrics?.bytesReceived == 100_000)
    }

    @Test(arguments: Wire.distinct)
    func `a download and its parts are one call`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text(String(repeating: "x", count: 100_000)) }
        try await withClient(wire, server) { client in
            let file = try await client.download(.get("/"))
            try FileManager.default.removeItem(at: file)
        }
        #expect(log.outcomes == [nil] && log.faults == [])
        #expect(exchangeEnds.first?.metrics?.bytesReceived == 100_000)
    }
}
