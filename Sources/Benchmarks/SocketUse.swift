import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import NetworkEngineWebSocket

/// Measures the round trips of one WebSocket among idle ones on the same transport, and the reading of large texts.
enum SocketUse {
    static func run(_ idle: [Int]) async throws {
        guard CurlTransport.isAvailable else { return }
        try await SocketThroughput.run()
        var table = Table(
            "Round trips of one WebSocket beside idle ones (goal: as many as without them)",
            columns: ["idle sockets", "round trips/s", "of those without"]
        )
        var alone = 0.0
        for count in [0] + (idle.isEmpty ? [1_000, 4_000] : idle) {
            Progress.show("\(count) idle sockets")
            let rate = try await rate(besides: count)
            if count == 0 { alone = rate }
            table.add("\(count)", rate.rounded(to: 0), (rate / alone).rounded(to: 2))
        }
        table.print()
        var texts = Table("Reading texts of 1 MiB (goal: as fast as bytes)", columns: ["message", "MB/s"])
        for (name, message) in [
            ("bytes", WebSocketMessage.data(Data(count: 1 << 20))),
            ("ASCII", .text(String(repeating: "a", count: 1 << 20))),
            ("two bytes each", .text(String(repeating: "ä", count: 1 << 19))),
        ] {
            Progress.show(name)
            texts.add(name, readingRate(of: message).rounded(to: 0))
        }
        texts.print()
    }

    private static func rate(besides idle: Int) async throws -> Double {
        var limits = LoopbackConfiguration()
        limits.requestRecordingLimit = 0
        // The loopback server checks each of its connections, so the idle ones use another server.
        let (server, idleServer) = (try server(limits), try server(limits))
        defer {
            server.stop()
            idleServer.stop()
        }
        let transport = CurlTransport()
        defer { transport.shutdown() }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        var others: [WebSocket] = []
        let idleClient = HTTPClient(baseURL: idleServer.url, configuration: configuration)
        for _ in 0..<idle { others.append(try await idleClient.webSocket(.get("/"))) }
        let socket = try await client.webSocket(.get("/"))
        var messages = socket.messages.makeAsyncIterator()
        var best = 0.0
        for _ in 0..<3 {
            let start = ContinuousClock.now
            for _ in 0..<2_000 {
                try await socket.send(.text("hello"))
                _ = try await messages.next()
            }
            best = max(best, 2_000 / (ContinuousClock.now - start).seconds)
        }
        withExtendedLifetime(others) {}
        return best
    }

    private static func server(_ limits: LoopbackConfiguration) throws -> LoopbackServer {
        try LoopbackServer(limits) { _ in
            .webSocket { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
    }

    private static func readingRate(of message: WebSocketMessage) -> Double {
        let frame = WebSocketFrame.bytes(message, from: .server)
        let pieces = stride(from: 0, to: frame.count, by: 1 << 16).map { start in
            Array(frame[start..<min(start + 1 << 16, frame.count)])
        }
        var best = 0.0
        for _ in 0..<3 {
            var reader = WebSocketReader(at: .client, limit: 1 << 24)
            let start = ContinuousClock.now
            for _ in 0..<100 {
                for piece in pieces {
                    reader.add(piece)
                    while (try? reader.next()) != nil {}
                }
            }
            best = max(best, Double(frame.count) * 100 / 1e6 / (ContinuousClock.now - start).seconds)
        }
        return best
    }
}
