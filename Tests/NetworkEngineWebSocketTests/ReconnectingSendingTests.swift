import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

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

    /// Sends a message that is queued, and waits until it is.
    private func keep(_ text: String, in socket: ReconnectingWebSocket) async -> Task<Void, any Error> {
        let size = socket.keptSize + text.utf8.count
        let call: Task<Void, any Error> = Task { try await socket.send(.text(text)) }
        while socket.keptSize < size { await Task.yield() }
        return call
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
        // This end's close frame isn't accepted, so the connection doesn't end yet.
        try await channel.began.wait()
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkError.self) { try await socket.send(.text("a")) }
            #expect(error?.kind == .connection)
        }
        other.close()
    }

    @Test(arguments: [false, true])
    func `messages that were cut off are sent again in the order of their calls`(isOpen: Bool) async throws {
        let ((own, other), (next, server)) = (MemoryChannel.pair(), MemoryChannel.pair())
        let channel = HeldChannel(own)
        let socket = try socket(over: [channel, next]) { $0.unsentMessages = .kept(upTo: 1_000) }
        await waitUntilOpen(socket)
        let first: Task<Void, any Error> = Task { try await socket.send(.text("first")) }
        try await channel.began.wait()
        other.close()
        let calls = [await keep("second", in: socket), await keep("third", in: socket)]
        if isOpen {
            // The next connection is open before the first call learns that its message was cut off.
            await clock.advanceToNextSleeper()
            for _ in 0..<200 { await Task.yield() }
            channel.release()
        } else {
            let size = socket.keptSize + 5
            channel.release()
            while socket.keptSize < size { await Task.yield() }
            await clock.advanceToNextSleeper()
        }
        let peer = RawPeer(server, of: .client)
        for text in ["first", "second", "third"] { #expect(try await peer.next() == .message(.text(text))) }
        for call in [first] + calls { try await call.value }
    }
}

/// A channel that neither accepts nor rejects bytes until a test commands it to, even after its end.
private final class HeldChannel: ByteChannel {
    /// Settled when the first bytes are sent.
    let began = OneShot<Void>()
    private let channel: MemoryChannel
    private let released = OneShot<Void>()

    init(_ channel: MemoryChannel) { self.channel = channel }

    /// Fails to send the bytes.
    func release() { released.settle(()) }

    func receive() async throws(NetworkError) -> [UInt8]? { try await channel.receive() }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        began.settle(())
        try? await released.wait()
        throw NetworkError(.lostMidBody, reason: "the channel is closed")
    }

    func close() { channel.close() }
}
