import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct FramedConnectionTests {
    private func pair() -> (client: FramedConnection, server: FramedConnection) {
        let (one, other) = MemoryChannel.pair()
        let offer = WebSocketOffer(clock: TestClock())
        return (FramedConnection(one, as: .client, offer: offer), FramedConnection(other, as: .server, offer: offer))
    }

    // MARK: Messages

    @Test func `messages arrive in both directions`() async throws {
        let (client, server) = pair()
        try await client.send(.text("to the server"))
        try await server.send(.data(Data([1, 2, 3])))
        #expect(try await server.receive() == .text("to the server"))
        #expect(try await client.receive() == .data(Data([1, 2, 3])))
        await client.close(with: WebSocketClose(code: 1000))
    }

    @Test func `a message that arrived with the handshake is the first`() async throws {
        let (own, other) = MemoryChannel.pair()
        let offer = WebSocketOffer(clock: TestClock())
        let bytes = RawFrame.text("early").bytes
        let connection = FramedConnection(own, as: .client, offer: offer, received: Array(bytes.prefix(3)))
        try await other.send(bytes[3...] + RawFrame.text("later").bytes)
        #expect(try await connection.receive() == .text("early"))
        #expect(try await connection.receive() == .text("later"))
        connection.abandon()
    }

    @Test func `messages of concurrent senders arrive whole, and those of each in order`() async throws {
        let (client, server) = pair()
        let sending = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<8 {
                    group.addTask {
                        for number in 0..<40 {
                            try await client.send(.data(Data(repeating: UInt8(sender), count: number)))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        var lengths = [[Int]](repeating: [], count: 8)
        for _ in 0..<8 * 40 {
            let data = try #require(try await server.receive()).data
            #expect(Set(data).count <= 1)
            if let sender = data.first { lengths[Int(sender)].append(data.count) }
        }
        try await sending.value
        #expect(lengths.allSatisfy { $0 == Array(1..<40) })
        client.abandon()
    }

    @Test func `the messages of calls one after the other arrive in their order`() async throws {
        let (client, server) = pair()
        let sending = Task { for number in 0..<200 { try await client.send(.text("\(number)")) } }
        for number in 0..<200 { #expect(try await server.receive() == .text("\(number)")) }
        try await sending.value
        client.abandon()
    }

    @Test func `several tasks share the messages, and each message is read once`() async throws {
        let (client, server) = pair()
        async let read = withTaskGroup(of: [WebSocketMessage].self) { group in
            for _ in 0..<4 { group.addTask { await server.receiveAll().messages } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for number in 0..<100 { try await client.send(.text("\(number)")) }
        await client.close(with: WebSocketClose(code: 1000))
        #expect(await Set(read) == Set((0..<100).map { .text("\($0)") }))
    }

    @Test func `a slow reader slows the sender down, and loses nothing`() async throws {
        let (connection, peer) = RawPeer.connected { $0.bufferLimit = 1_000 }
        let isDone = Locked(false)
        let sending = Task { [channel = peer.channel] in
            for number in 0..<100 {
                let payload = [UInt8](repeating: UInt8(number), count: 500)
                try await channel.send(RawFrame.binary(payload).bytes)
            }
            isDone.withLock { $0 = true }
            try await channel.send(RawFrame.close(1000).bytes)
        }
        while !peer.channel.isSenderWaiting { await Task.yield() }
        for _ in 0..<50 { await Task.yield() }
        #expect(!isDone.withLock { $0 })
        let (messages, failure) = await connection.receiveAll()
        #expect(messages.map(\.data.first) == (0..<100).map { UInt8($0) } && failure == nil)
        try await sending.value
    }

    // MARK: Pings

    @Test func `a ping of the other end is answered`() async throws {
        let (connection, peer) = RawPeer.connected()
        try await peer.send(.ping([1, 2]))
        #expect(try await peer.next() == .pong([1, 2]))
        connection.abandon()
    }

    @Test func `a ping returns when its pong arrives`() async throws {
        let (client, server) = pair()
        try await client.ping()
        try await server.ping()
        async let first: Void = client.ping()
        async let second: Void = client.ping()
        try await first
        try await second
        client.abandon()
    }

    // MARK: Closing

    @Test func `a close ends both ends`() async throws {
        let (client, server) = pair()
        try await client.send(.text("last"))
        await client.close(with: WebSocketClose(code: 4000, reason: "why"))
        let (messages, failure) = await server.receiveAll()
        #expect(messages == [.text("last")] && failure == .connection)
        #expect([client.close, server.close] == [.init(code: 4000, reason: "why"), .init(code: 4000, reason: "why")])
        #expect(try await client.receive() == nil)
    }

    @Test func `two closes at once end both ends`() async throws {
        for _ in 0..<50 {
            let (client, server) = pair()
            async let first: Void = client.close(with: WebSocketClose(code: 1000))
            async let second: Void = server.close(with: WebSocketClose(code: 1001))
            _ = await (first, second)
            #expect(try await client.receive() == nil)
            #expect(try await server.receive() == nil)
        }
    }

    @Test func `further closes wait for the same end`() async throws {
        let (connection, peer) = RawPeer.connected(to: .server)
        async let first: Void = connection.close(with: WebSocketClose(code: 1000))
        async let second: Void = connection.close(with: WebSocketClose(code: 1000))
        #expect(try await peer.next() == .close(WebSocketClose(code: 1000)))
        try await peer.send(.close(1000))
        _ = await (first, second)
        await connection.close(with: WebSocketClose(code: 4000))
        #expect(try await peer.next() == nil)
    }

    @Test func `a close does not wait for the reader of a full buffer`() async throws {
        let (connection, peer) = RawPeer.connected { $0.bufferLimit = 1 }
        for number in 0..<5 { try await peer.send(.text("\(number)")) }
        let closing = Task { await connection.close(with: WebSocketClose(code: 1000)) }
        #expect(try await peer.next() == .close(WebSocketClose(code: 1000)))
        try await peer.send(.text("dropped"), .close(1000))
        await closing.value
        let (messages, failure) = await connection.receiveAll()
        #expect(messages.first == .text("0") && failure == nil)
    }

    @Test func `a call after the close is invalid`() async throws {
        let (client, server) = pair()
        await client.close(with: WebSocketClose(code: 1000))
        _ = await server.receiveAll()
        for call in [{ try await $0.send(.text("a")) }, { try await $0.ping() }]
            as [@Sendable (FramedConnection) async throws -> Void]
        {
            for end in [client, server] {
                let error = await #expect(throws: NetworkError.self) { try await call(end) }
                #expect(error?.kind == .invalidRequest)
            }
        }
    }

    @Test func `a lost connection fails reading after the messages`() async throws {
        let (connection, peer) = RawPeer.connected()
        try await peer.send(.text("a"), .text("b"))
        peer.channel.close()
        let (messages, failure) = await connection.receiveAll()
        #expect(messages == [.text("a"), .text("b")] && failure == .connection)
    }

    @Test func `a violation is reported to both ends`() async throws {
        let (connection, peer) = RawPeer.connected(to: .server)
        try await peer.channel.send(RawFrame.text("not masked").bytes)
        #expect(try await peer.next() == .close(WebSocketClose(code: 1002)))
        #expect(await connection.receiveAll().failure == .protocolViolation)
        peer.channel.close()
    }

    @Test func `errors have the request of the handshake`() async throws {
        let request = HTTPRequest(url: try #require(URL(string: "http://a.test/chat")))
        let (own, other) = MemoryChannel.pair()
        let connection = FramedConnection(
            own, as: .client, offer: WebSocketOffer(clock: TestClock()), request: request)
        other.close()
        for call in [{ _ = try await $0.receive() }, { try await $0.send(.text("")) }, { try await $0.ping() }]
            as [@Sendable (FramedConnection) async throws -> Void]
        {
            let error = await #expect(throws: NetworkError.self) { try await call(connection) }
            #expect(error?.request?.url == request.url)
        }
    }
}
