import Testing

@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct LoopbackBarrierTests {
    @Test func `a barrier holds requests until all have arrived and releases them together`() async throws {
        let gate = LoopbackBarrier(count: 3)
        let server = try LoopbackServer { _ in .text("go").held(by: gate) }
        let clients = try (0..<3).map { _ in try RawClient(server) }
        for client in clients.prefix(2) { try client.send(RawClient.get()) }
        try await gate.arrivals(atLeast: 2)
        #expect(server.requests.count == 2 && gate.arrivals == 2)
        try clients[2].send(RawClient.get())
        for client in clients { #expect(try client.read(until: "go").hasPrefix("HTTP/1.1 200")) }
    }

    @Test func `a barrier that is opened by hand stays open`() async throws {
        let gate = LoopbackBarrier()
        let server = try LoopbackServer { _ in .text("go").held(by: gate, at: .responseBody(afterBytes: 1)) }
        let client = try RawClient(server)
        try client.send(RawClient.get())
        #expect(try client.read(until: "g").hasSuffix("\r\n\r\ng"))
        gate.open()
        #expect(try client.read(until: "o") == "o")
        try client.send(RawClient.get())
        #expect(try client.read(until: "go").hasSuffix("\r\n\r\ngo"))
    }

    @Test func `a held request ends when its client or its server stops`() async throws {
        let gate = LoopbackBarrier()
        let server = try LoopbackServer { _ in .text("go").held(by: gate) }
        var client: RawClient? = try RawClient(server)
        try client?.send(RawClient.get())
        try await gate.arrivals(atLeast: 1)
        client = nil
        try await server.wait { $0.openConnections == 0 }
        let other = try RawClient(server)
        try other.send(RawClient.get())
        try await gate.arrivals(atLeast: 2)
        server.stop()
        #expect(try other.read() == nil)
        gate.open()
    }
}
