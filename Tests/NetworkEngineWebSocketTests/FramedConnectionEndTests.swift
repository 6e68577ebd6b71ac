import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// A connection's cancellation and timeouts.
@Suite(.timeLimit(.minutes(5))) struct FramedConnectionEndTests {
    // MARK: Cancellation

    @Test func `canceling a reader at any moment loses no message and leaves the socket open`() async throws {
        let (connection, peer) = RawPeer.connected()
        var read: [WebSocketMessage] = []
        for turn in 0..<300 {
            let reading = Task { try await connection.receive() }
            if turn % 3 == 0 { try await peer.send(.text("\(turn)")) }
            for _ in 0..<turn % 7 { await Task.yield() }
            reading.cancel()
            switch await reading.result {
            case .success(let message): if let message { read.append(message) }
            case .failure(let error): #expect((error as? NetworkError)?.kind == .cancelled)
            }
        }
        try await peer.send(.close(1000))
        read += await connection.receiveAll().messages
        #expect(read == stride(from: 0, to: 300, by: 3).map { .text("\($0)") })
    }

    @Test func `a canceled task sends and reads nothing`() async throws {
        let (connection, peer) = RawPeer.connected()
        try await peer.send(.text("kept"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let calls: [() async throws -> Void] = [
                { _ = try await connection.receive() }, { try await connection.send(.text("a")) },
                { try await connection.ping() },
            ]
            for call in calls {
                let error = await #expect(throws: NetworkError.self) { try await call() }
                #expect(error?.kind == .cancelled)
            }
        }
        await task.value
        #expect(try await connection.receive() == .text("kept"))
        try await connection.send(.text("only"))
        #expect(try await peer.next() == .message(.text("only")))
        connection.abandon()
    }

    @Test func `a canceled ping leaves the socket open`() async throws {
        let (connection, peer) = RawPeer.connected()
        let pinging = Task { try await connection.ping() }
        guard case .ping(let payload) = try await peer.next() else { return #expect(Bool(false)) }
        pinging.cancel()
        let error = await #expect(throws: NetworkError.self) { try await pinging.value }
        #expect(error?.kind == .cancelled)
        try await peer.send(.pong(payload), .text("a"))
        #expect(try await connection.receive() == .text("a"))
        connection.abandon()
    }

    @Test func `a canceled close does not wait, and the timeout ends the connection`() async throws {
        let clock = TestClock()
        let (connection, peer) = RawPeer.connected(clock: clock)
        let closing = Task { await connection.close(with: WebSocketClose(code: 1000)) }
        #expect(try await peer.next() == .close(WebSocketClose(code: 1000)))
        closing.cancel()
        await closing.value
        #expect(await connection.receiveAll().failure == .cancelled)
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        #expect(try await peer.next() == nil)
    }

    @Test func `a close in a canceled task sends its frame, although the connection is released`() async throws {
        for _ in 0..<100 {
            let (connection, peer) = RawPeer.connected()
            var owner: WebSocketOwner? = WebSocketOwner(connection)
            await Task { [owner] in
                withUnsafeCurrentTask { $0?.cancel() }
                await owner?.connection.close(with: WebSocketClose(code: 3001))
            }.value
            owner = nil
            #expect(try await peer.next() == .close(WebSocketClose(code: 3001)))
        }
    }

    private static let faults: [(RawFrame, UInt16)] = [
        (RawFrame(opcode: 3), 1002), (RawFrame(opcode: 1, payload: [0xFF]), 1007), (.binary([0, 0, 0]), 1009),
    ]

    @Test(arguments: faults)
    func `the report of a fault arrives, although the connection is released at once`(
        frame: RawFrame, code: UInt16
    ) async throws {
        for _ in 0..<100 {
            let (connection, peer) = RawPeer.connected { $0.messageLimit = 2 }
            var owner: WebSocketOwner? = WebSocketOwner(connection)
            try await peer.send(frame)
            _ = try? await owner?.connection.receive()
            owner = nil
            #expect(try await peer.next() == .close(WebSocketClose(code: code)))
        }
    }

    @Test func `abandoning ends every call that waits, at any moment`() async {
        for turn in 0..<100 {
            let (connection, peer) = RawPeer.connected()
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await connection.receive() }, { try await connection.ping() },
                // The channel takes only a few of them.
                { for _ in 0..<100 { try await connection.send(.text("a")) } },
            ]
            let tasks = calls.map { call in Task { try await call() } }
            let closing = Task { if turn % 2 == 0 { await connection.close(with: WebSocketClose(code: 1000)) } }
            for _ in 0..<turn % 11 { await Task.yield() }
            connection.abandon()
            connection.abandon()
            await closing.value
            for task in tasks { await #expect(throws: NetworkError.self) { try await task.value } }
            withExtendedLifetime(peer) {}
        }
    }

    @Test func `in any order of calls, cancellations and closes on both ends every call ends`() async {
        for seed in 0..<UInt64(100) {
            var random = SeededGenerator(seed: seed)
            let (one, other) = MemoryChannel.pair()
            let offer = WebSocketOffer(clock: TestClock())
            let ends = [
                FramedConnection(one, as: .client, offer: offer), FramedConnection(other, as: .server, offer: offer),
            ]
            var tasks: [Task<Void, any Error>] = []
            for _ in 0..<30 {
                let end = ends[Int.random(in: 0...1, using: &random)]
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<7: tasks.append(Task { try await end.send(.text("a")) })
                case 7..<12: tasks.append(Task { _ = try await end.receive() })
                case 12..<15: tasks.append(Task { try await end.ping() })
                case 15: tasks.append(Task { await end.close(with: WebSocketClose(code: 1000)) })
                case 16..<19: tasks.randomElement(using: &random)?.cancel()
                default: for _ in 0..<5 { await Task.yield() }
                }
            }
            await ends[0].close(with: WebSocketClose(code: 1000))
            for end in ends { _ = await end.receiveAll() }
            for task in tasks { _ = await task.result }
        }
    }

    // MARK: Time

    @Test func `a silent peer gets a ping after an interval and times out after another`() async throws {
        let clock = TestClock()
        let (connection, peer) = RawPeer.connected(clock: clock) { $0.pingInterval = .seconds(20) }
        #expect(await clock.advanceToNextSleeper() == .seconds(20))
        guard case .ping = try await peer.next() else { return #expect(Bool(false)) }
        await clock.advanceToNextSleeper()
        #expect(try await peer.next() == nil)
        #expect(await connection.receiveAll().failure == .timeout)
    }

    @Test func `a peer that answers pings is not lost`() async throws {
        let clock = TestClock()
        let (connection, peer) = RawPeer.connected(clock: clock) { $0.pingInterval = .seconds(20) }
        for _ in 0..<5 {
            await clock.advanceToNextSleeper()
            guard case .ping(let payload) = try await peer.next() else { return #expect(Bool(false)) }
            try await peer.send(.pong(payload), .text("alive"))
            #expect(try await connection.receive() == .text("alive"))
            await clock.advanceToNextSleeper()
        }
        connection.abandon()
        #expect(await connection.receiveAll().failure == .cancelled)
    }

    @Test func `a slow connection is not lost while its ping has no chance of an answer`() async throws {
        let clock = TestClock()
        let (own, other) = MemoryChannel.pair()
        let channel = EagerChannel(own)
        var options = WebSocketOptions()
        options.pingInterval = .seconds(20)
        let connection = FramedConnection(
            channel, as: .server, offer: WebSocketOffer(options: options, clock: clock))
        channel.hold()
        let first = Task { try await connection.send(.text("first")) }
        await channel.waitForBegun(1)
        let second = Task { try await connection.send(.text("second")) }
        for _ in 0..<100 { await Task.yield() }
        await clock.advanceToNextSleeper()
        await clock.untilSleeping()
        channel.release()
        try await first.value
        try await second.value
        let frames = [RawFrame.text("first"), .ping(), .text("second")]
        try #require(channel.sent.joined().elementsEqual(frames.bytes))
        await clock.advanceToNextSleeper()
        await clock.untilSleeping()
        #expect(connection.isOpen)
        connection.abandon()
        withExtendedLifetime(other) {}
    }

    @Test func `a connection without an interval never times out`() async throws {
        let clock = TestClock()
        let (connection, peer) = RawPeer.connected(clock: clock)
        clock.advance(by: .seconds(1_000_000))
        try await peer.send(.text("a"))
        #expect(try await connection.receive() == .text("a"))
        try clock.checkIsIdle()
        connection.abandon()
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max)])
    func `any interval is accepted`(interval: Duration) async {
        let clock = TestClock()
        let (connection, peer) = RawPeer.connected(clock: clock) { $0.pingInterval = interval }
        await clock.untilSleeping()
        connection.abandon()
        withExtendedLifetime(peer) {}
    }

    @Test func `a close that is not answered ends after its timeout`() async throws {
        let clock = TestClock()
        let (connection, peer) = RawPeer.connected(clock: clock) { $0.closeTimeout = .seconds(3) }
        let closing = Task { await connection.close(with: WebSocketClose(code: 4000)) }
        #expect(try await peer.next() == .close(WebSocketClose(code: 4000)))
        #expect(await clock.advanceToNextSleeper() == .seconds(3))
        await closing.value
        #expect(try await peer.next() == nil)
        #expect(try await connection.receive() == nil)
        #expect(connection.close?.code == 4000)
    }

    @Test func `a peer that does not read cannot delay the end after a violation`() async throws {
        let clock = TestClock()
        let (own, other) = MemoryChannel.pair()
        let deaf = DeafChannel(own)
        let connection = FramedConnection(deaf, as: .client, offer: WebSocketOffer(clock: clock))
        let sending = Task { try await connection.send(.text("a")) }
        try await deaf.began.wait()
        try await other.send(RawFrame(opcode: 3).bytes)
        #expect(await connection.receiveAll().failure == .protocolViolation)
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        await #expect(throws: NetworkError.self) { try await sending.value }
        #expect(try await other.receive() == nil)
    }

    @Test func `a timeout of zero or less ends a close at once`() async {
        for timeout in [Duration.zero, .seconds(-1)] {
            let (connection, peer) = RawPeer.connected { $0.closeTimeout = timeout }
            await connection.close(with: WebSocketClose(code: 1000))
            withExtendedLifetime(peer) {}
        }
    }

    @Test func `a close that is answered leaves no sleeper`() async throws {
        let clock = TestClock()
        let (connection, peer) = RawPeer.connected(clock: clock) { $0.pingInterval = .seconds(20) }
        let closing = Task { await connection.close(with: WebSocketClose(code: 1000)) }
        _ = try await peer.next()
        await clock.untilSleeping(atLeast: 2)
        try await peer.send(.close(1000))
        await closing.value
        peer.channel.close()
        while !clock.pendingSleepers.isEmpty { await Task.yield() }
    }
}
