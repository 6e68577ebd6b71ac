import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct FramedConnectionLifetimeTests {
    /// A connection that only the test owns.
    private struct Life {
        let peer: RawPeer
        let released = OneShot<Void>()
        let clock = TestClock()
        var owner: WebSocketOwner?
        weak var connection: FramedConnection?
        weak var weakOwner: WebSocketOwner?

        init() {
            let (own, other) = MemoryChannel.pair()
            peer = RawPeer(other, of: .client)
            var options = WebSocketOptions()
            options.pingInterval = .seconds(20)
            let connection = FramedConnection(
                ReleasedChannel(own, released: released),
                as: .client,
                offer: WebSocketOffer(options: options, clock: clock)
            )
            self.connection = connection
            owner = WebSocketOwner(connection)
            weakOwner = owner
        }
    }

    @Test func `releasing the owner ends the connection and releases everything`() async throws {
        var life = Life()
        life.owner = nil
        #expect(life.weakOwner == nil)
        try await life.released.wait()
        #expect(life.connection == nil)
        #expect(try await life.peer.next() == nil)
    }

    @Test func `an open connection lives as long as its owner`() async throws {
        var life = Life()
        try await life.peer.send(.text("a"))
        #expect(try await life.owner?.connection.receive() == .text("a"))
        #expect(life.connection != nil && life.released.value == nil)
        life.owner = nil
        try await life.released.wait()
    }

    @Test(arguments: [RawFrame.close(1000), .close(1011), RawFrame(opcode: 3)])
    func `a connection that the other end has ended is released with its owner`(frame: RawFrame) async throws {
        var life = Life()
        try await life.peer.send(frame)
        guard case .close = try await life.peer.next() else { return #expect(Bool(false)) }
        life.peer.channel.close()
        #expect(life.owner?.connection.close != nil)
        life.owner = nil
        try await life.released.wait()
        #expect(life.connection == nil)
    }

    @Test(arguments: [RawFrame.close(1000), RawFrame(opcode: 3)])
    func `a connection that waits for the other end to close it is released after its timeout`(
        frame: RawFrame
    ) async throws {
        var life = Life()
        try await life.peer.send(frame)
        guard case .close = try await life.peer.next() else { return #expect(Bool(false)) }
        life.owner = nil
        await life.clock.advanceToNextSleeper(within: .seconds(5))
        try await life.released.wait()
        #expect(life.connection == nil)
        #expect(try await life.peer.next() == nil)
    }

    @Test func `a lost connection and a timeout are released, too`() async throws {
        var lost = Life()
        lost.peer.channel.close()
        await #expect(throws: NetworkError.self) { try await lost.owner?.connection.receive() }
        lost.owner = nil
        try await lost.released.wait()

        var silent = Life()
        for _ in 0..<2 { await silent.clock.advanceToNextSleeper() }
        while try await silent.peer.next() != nil {}
        silent.owner = nil
        try await silent.released.wait()
        #expect(lost.connection == nil && silent.connection == nil)
    }

    @Test func `a close that is not answered releases everything after its timeout`() async throws {
        var life = Life()
        let closing = Task { [connection = life.owner?.connection] in
            await connection?.close(with: WebSocketClose(code: 1000))
        }
        _ = try await life.peer.next()
        await life.clock.advanceToNextSleeper(within: .seconds(5))
        await closing.value
        life.owner = nil
        try await life.released.wait()
        #expect(life.connection == nil)
    }

    // MARK: The socket

    private func socket(_ life: inout Life) throws -> WebSocket {
        var response = HTTPResponse(
            statusCode: 101, request: HTTPRequest(url: try #require(URL(string: "http://a.test/"))))
        response.upgrade = life.owner
        life.owner = nil
        return try #require(WebSocket(response))
    }

    @Test func `a response without a connection makes no socket`() throws {
        let request = HTTPRequest(url: try #require(URL(string: "http://a.test/")))
        #expect(WebSocket(HTTPResponse(statusCode: 101, request: request)) == nil)
    }

    @Test func `releasing a socket ends its connection, although its response is kept`() async throws {
        var life = Life()
        var socket: WebSocket? = try socket(&life)
        let response = socket?.response
        #expect(response?.upgrade == nil)
        socket = nil
        try await life.released.wait()
        #expect(life.weakOwner == nil && life.connection == nil)
        #expect(response?.statusCode == 101)
    }

    @Test func `an iterator keeps its socket open`() async throws {
        var life = Life()
        var iterator: WebSocket.Messages.Iterator? = try socket(&life).messages.makeAsyncIterator()
        try await life.peer.send(.text("a"))
        #expect(try await iterator?.next() == .text("a"))
        iterator = nil
        try await life.released.wait()
    }

    @Test func `leaving a loop leaves the socket open for another one`() async throws {
        var life = Life()
        let socket = try socket(&life)
        try await life.peer.send(.text("a"), .text("b"), .close(1000, Array("bye".utf8)))
        var messages: [WebSocketMessage] = []
        for try await message in socket.messages {
            messages.append(message)
            break
        }
        for try await message in socket.messages { messages.append(message) }
        #expect(messages == [.text("a"), .text("b")])
        #expect(socket.closeCode == 1000 && socket.closeReason == "bye")
    }

    @Test func `the methods of a socket reach its connection`() async throws {
        var life = Life()
        let socket = try socket(&life)
        #expect(socket.closeCode == nil && socket.closeReason == nil && socket.negotiatedProtocol == nil)
        try await socket.send(.text("a"))
        #expect(try await life.peer.next() == .message(.text("a")))
        async let pinged: Void = socket.ping()
        guard case .ping(let payload) = try await life.peer.next() else { return #expect(Bool(false)) }
        try await life.peer.send(.pong(payload))
        try await pinged
        async let closed: Void = socket.close(code: 1005, reason: "done")
        #expect(try await life.peer.next() == .close(WebSocketClose(code: 1000, reason: "done")))
        try await life.peer.send(.close())
        await closed
        #expect(socket.closeCode == 1005)
    }
}
