import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// Message compression (RFC 7692) between a client and the test server's WebSockets.
@Suite(.timeLimit(.minutes(5)), .enabled(if: RequestCompression.isAvailable, "there is no zlib here"))
struct WebSocketCompressionTests {
    private static let message = WebSocketMessage.text(String(repeating: "tea ", count: 25_000))

    private func options(compressed: Bool) -> WebSocketOptions {
        var options = WebSocketOptions()
        if !compressed { options.compression = nil }
        return options
    }

    @Test(arguments: [(true, true), (true, false), (false, true)])
    func `a loopback server compresses if both ends want it`(client: Bool, server: Bool) async throws {
        var configuration = LoopbackConfiguration()
        configuration.webSockets = options(compressed: server)
        let loopback = try LoopbackServer(configuration)
        loopback.enqueue(
            .webSocket { socket in
                for try await message in socket.messages { try await socket.send(message) }
            })
        let counts = Locked((sent: 0, received: 0))
        let response = try await loopback.open(options: options(compressed: client)) { raw in
            CountingChannel(RawChannel(raw)) { sent, received in
                counts.withLock { $0 = ($0.sent + sent, $0.received + received) }
            }
        }
        let terms = response.headers["Sec-WebSocket-Extensions"]
        #expect(terms?.hasPrefix("permessage-deflate") == (client && server ? true : nil))
        let socket = try #require(WebSocket(response))
        try await socket.send(Self.message)
        #expect(try await socket.messages.first { _ in true } == Self.message)
        let (sent, received) = counts.withLock { $0 }
        #expect((sent < 10_000) == (client && server) && (received < 10_000) == (client && server))
    }

    @Test(arguments: [true, false]) func `a mock compresses if the client wants it`(isWanted: Bool) async throws {
        let mock = MockTransport(
            .webSocket { socket in
                for try await message in socket.messages { try await socket.send(message) }
            })
        let client = HTTPClient(mock) { $0.webSockets = options(compressed: isWanted) }
        let socket = try await client.webSocket(.get("/"))
        let terms = socket.response.headers["Sec-WebSocket-Extensions"]
        #expect(terms?.hasPrefix("permessage-deflate") == (isWanted ? true : nil))
        try await socket.send(Self.message)
        #expect(try await socket.messages.first { _ in true } == Self.message)
        await socket.close()
    }
}

/// A connection that counts its bytes.
private final class CountingChannel: ByteChannel {
    private let channel: any ByteChannel
    private let count: @Sendable (_ sent: Int, _ received: Int) -> Void

    init(_ channel: any ByteChannel, _ count: @escaping @Sendable (Int, Int) -> Void) {
        (self.channel, self.count) = (channel, count)
    }

    func receive() async throws(NetworkError) -> [UInt8]? {
        let bytes = try await channel.receive()
        count(0, bytes?.count ?? 0)
        return bytes
    }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        count(bytes.count, 0)
        try await channel.send(bytes)
    }

    func close() { channel.close() }
}
