import Foundation
import NetworkEngine
import NetworkEngineTesting
import NetworkEngineWebSocket
import Testing

/// Messages around the end of a connection.
@Suite(.timeLimit(.minutes(5))) struct ReconnectingSendingTests {
    private let clock = TestClock()

    /// A socket with a channel for each connection.
    private func socket(
        over channels: [any ByteChannel],
        _ change: (inout ReconnectPolicy) -> Void = { _ in }
    ) throws -> ReconnectingWebSocket {
        var policy = ReconnectPolicy()
        policy.clock = clock
        policy.backoff = .constant(.seconds(1))
        change(&policy)
        let url = try #require(URL(string: "http://localhost/"))
        let response = HTTPResponse(statusCode: 101, request: HTTPRequest(url: url))
        let left = Locked(channels[...])
        return ReconnectingWebSocket(
            policy,
            open: { () throws(NetworkError) in
                guard let channel = left.withLock({ $0.popFirst() }) else {
                    throw NetworkError(.tls, reason: "no other connection is expected")
                }
                return WebSocket.over(channel, as: .client, after: response, offer: WebSocketOffer(clock: TestClock()))
            },
            onOpen: { _ in }
        )
    }

    private func waitUntilOpen(_ socket: ReconnectingWebSocket) async {
        for await state in socket.states { if case .open = state { return } }
    }

    @Test func `while a connection closes, a message is refused as without a connection`() async throws {
        let (own, other) = MemoryChannel.pair()
        let channel = DeafChannel(own)
        let socket = try socket(over: [channel])
        await waitUntilOpen(socket)
        try await other.send(RawFrame.close(1001).bytes)
        // The close frame of this end is not taken, so that the connection does not end yet.
        try await channel.began.wait()
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkError.self) { try await socket.send(.text("a")) }
            #expect(error?.kind == .connection)
        }
        other.close()
    }
}
