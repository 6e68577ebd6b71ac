import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// Reading after both close frames, after a violation, and after a failed write.
@Suite(.timeLimit(.minutes(5))) struct FramedConnectionLingerTests {
    private let clock = TestClock()

    private func connect(
        as role: WebSocketFrame.Role = .client
    ) -> (connection: FramedConnection, channel: WatchedChannel, peer: RawPeer) {
        let (own, other) = MemoryChannel.pair()
        let channel = WatchedChannel(own)
        let connection = FramedConnection(channel, as: role, offer: WebSocketOffer(clock: clock))
        return (connection, channel, RawPeer(other, of: role))
    }

    private func untilIdle() async { while !clock.pendingSleepers.isEmpty { await Task.yield() } }

    // MARK: After the end

    private struct Ending: Sendable, CustomTestStringConvertible {
        let role: WebSocketFrame.Role
        let frame: RawFrame

        var testDescription: String { "opcode \(frame.opcode) at the \(role)" }

        static let open = [
            Ending(role: .client, frame: .close(1000)), Ending(role: .client, frame: RawFrame(opcode: 3)),
            Ending(role: .server, frame: RawFrame(opcode: 3)),
        ]
    }

    @Test(arguments: Ending.open)
    private func `a connection is read after its end, and closed when the other end closes`(
        ending: Ending
    ) async throws {
        let (connection, channel, peer) = connect(as: ending.role)
        try await peer.send(ending.frame)
        guard case .close = try await peer.next() else { return #expect(Bool(false)) }
        let result = await connection.receiveAll()
        // The channel takes only a few of them, unless they are read.
        for _ in 0..<100 { try await peer.send(.text("dropped")) }
        #expect(channel.closed.value == nil)
        peer.channel.close()
        try await channel.closed.wait()
        await untilIdle()
        #expect(await connection.receiveAll() == result && result.messages.isEmpty)
    }

    @Test(arguments: Ending.open)
    private func `a connection that the other end never closes is closed after the timeout`(
        ending: Ending
    ) async throws {
        let (connection, channel, peer) = connect(as: ending.role)
        try await peer.send(ending.frame)
        guard case .close = try await peer.next() else { return #expect(Bool(false)) }
        let result = await connection.receiveAll()
        #expect(channel.closed.value == nil)
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        #expect(try await peer.next() == nil)
        #expect(await connection.receiveAll() == result)
    }

    @Test func `a close returns before the server closes the connection`() async throws {
        let (connection, channel, peer) = connect()
        async let closed: Void = connection.close(with: WebSocketClose(code: 1000))
        #expect(try await peer.next() == .close(WebSocketClose(code: 1000)))
        try await peer.send(.close(1000))
        await closed
        #expect(channel.closed.value == nil)
        peer.channel.close()
        try await channel.closed.wait()
    }

    @Test func `a server closes the connection as soon as both close frames are exchanged`() async throws {
        let (connection, channel, peer) = connect(as: .server)
        try await peer.send(.close(1000))
        #expect(try await peer.next() == .close(WebSocketClose(code: 1000)))
        try await channel.closed.wait()
        #expect(try await peer.next() == nil)
        #expect(try await connection.receive() == nil)
        await untilIdle()
    }

    @Test func `pings are answered until the other end's close frame arrives`() async throws {
        let (connection, _, peer) = connect()
        async let closed: Void = connection.close(with: WebSocketClose(code: 1000))
        #expect(try await peer.next() == .close(WebSocketClose(code: 1000)))
        for number in 0..<5 as Range<UInt8> {
            try await peer.send(.ping([number]))
            #expect(try await peer.next() == .pong([number]))
        }
        try await peer.send(.close(1000), .ping())
        await closed
        peer.channel.close()
        #expect(try await peer.next() == nil)
    }

    // MARK: After a failed write

    private func connectFailing() async throws -> (FramedConnection, WatchedChannel, RawPeer) {
        let (connection, channel, peer) = connect()
        let ping = Task { try await connection.ping() }
        guard case .ping = try await peer.next() else { throw NetworkError(kind: .protocolViolation) }
        channel.failSends()
        for call in [{ try await connection.send(.text("a")) }, { try await connection.send(.text("b")) }]
            as [() async throws -> Void]
        {
            let error = await #expect(throws: NetworkError.self) { try await call() }
            #expect(error?.kind == .tls)
        }
        let error = await #expect(throws: NetworkError.self) { try await ping.value }
        #expect(error?.kind == .tls)
        return (connection, channel, peer)
    }

    @Test func `after a failed write messages and the reason of the other end are still read`() async throws {
        let (connection, channel, peer) = try await connectFailing()
        try await peer.send(.text("a"), .ping(), .text("b"))
        #expect(try await connection.receive() == .text("a"))
        #expect(channel.closed.value == nil)
        try await peer.send(.text("c"), .close(1008))
        let (messages, failure) = await connection.receiveAll()
        #expect(messages == [.text("b"), .text("c")] && failure == .connection)
        #expect(connection.close?.code == 1008)
        #expect(try await peer.next() == nil)
        await untilIdle()
    }

    @Test func `a failed write is the reason if the other end gives none`() async throws {
        let (connection, channel, peer) = try await connectFailing()
        try await peer.send(.text("a"))
        peer.channel.close()
        let (messages, failure) = await connection.receiveAll()
        #expect(messages == [.text("a")] && failure == .tls)
        try await channel.closed.wait()
        await untilIdle()
    }

    @Test func `a failed write ends the connection after the timeout if the other end says nothing`() async throws {
        let (connection, channel, peer) = try await connectFailing()
        #expect(channel.closed.value == nil)
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        #expect(await connection.receiveAll().failure == .tls)
        #expect(try await peer.next() == nil)
    }
}
