import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(10))) struct SendingAtOnceTests {
    private func connected() -> (FramedConnection, EagerChannel, MemoryChannel) {
        let (own, other) = MemoryChannel.pair()
        let channel = EagerChannel(own)
        let connection = FramedConnection(channel, as: .server, offer: WebSocketOffer(clock: TestClock()))
        return (connection, channel, other)
    }

    @Test func `a message that the system takes is sent before the call returns`() async throws {
        let (connection, channel, _) = connected()
        for number in 0..<100 {
            try await connection.send(.text("\(number)"))
            #expect(channel.sent.last == RawFrame.text("\(number)").bytes)
        }
        #expect(channel.sent.count == 100)
        connection.abandon()
    }

    @Test func `a call waits for the rest of its message, and later messages follow it`() async throws {
        let (connection, channel, _) = connected()
        channel.hold()
        let first = Task { try await connection.send(.text("first")) }
        await channel.waitForBegun(1)
        let second = Task { try await connection.send(.text("second")) }
        // The second message waits for its turn.
        for _ in 0..<100 { await Task.yield() }
        #expect(channel.sent.isEmpty)
        channel.release()
        try await first.value
        try await second.value
        #expect(channel.sent.joined().elementsEqual(RawFrame.text("first").bytes + RawFrame.text("second").bytes))
        connection.abandon()
    }

    @Test func `a canceled call leaves its message whole`() async throws {
        let (connection, channel, _) = connected()
        channel.hold()
        let first = Task { try await connection.send(.text("first")) }
        await channel.waitForBegun(1)
        first.cancel()
        let error = await #expect(throws: NetworkError.self) { try await first.value }
        #expect(error?.kind == .cancelled)
        let second = Task { try await connection.send(.text("second")) }
        for _ in 0..<100 { await Task.yield() }
        channel.release()
        try await second.value
        #expect(channel.sent.joined().elementsEqual(RawFrame.text("first").bytes + RawFrame.text("second").bytes))
        connection.abandon()
    }

    @Test func `the close frame follows the rest of a message`() async throws {
        let (connection, channel, other) = connected()
        channel.hold()
        let sending = Task { try await connection.send(.text("last")) }
        await channel.waitForBegun(1)
        let closing = Task { await connection.close(with: WebSocketClose(code: 1000)) }
        for _ in 0..<100 { await Task.yield() }
        channel.release()
        try await sending.value
        try await other.send(RawFrame.close(1000).masked().bytes)
        await closing.value
        #expect(channel.sent.joined().elementsEqual(RawFrame.text("last").bytes + RawFrame.close(1000).bytes))
    }

    @Test func `a failure to send fails the call, later calls and the connection`() async throws {
        let (connection, channel, other) = connected()
        channel.fail()
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkError.self) { try await connection.send(.text("a")) }
            #expect(error?.kind == .tls)
        }
        // Messages that the other end has already sent are still read.
        try await other.send(RawFrame.text("last words").masked().bytes)
        #expect(try await connection.receive() == .text("last words"))
        other.close()
        let error = await #expect(throws: NetworkError.self) { try await connection.receive() }
        #expect(error?.kind == .tls)
    }

    @Test func `a failure of the rest fails the call`() async throws {
        let (connection, channel, _) = connected()
        channel.hold()
        let sending = Task { try await connection.send(.text("a")) }
        await channel.waitForBegun(1)
        channel.release(NetworkError(.tls, reason: ""))
        let error = await #expect(throws: NetworkError.self) { try await sending.value }
        #expect(error?.kind == .tls)
        connection.abandon()
    }

    @Test(arguments: [false, true])
    func `an end of the connection at any moment ends every call and releases the channel`(isHeld: Bool) async throws {
        for round in 0..<200 {
            let released = OneShot<Void>()
            let (own, other) = MemoryChannel.pair()
            let calls: [Task<Void, any Error>]
            do {
                let channel = EagerChannel(own, released: released)
                if isHeld { channel.hold() }
                let connection = FramedConnection(channel, as: .server, offer: WebSocketOffer(clock: TestClock()))
                calls = (0..<4).map { number in Task { try await connection.send(.text("\(number)")) } }
                for _ in 0..<round % 7 { await Task.yield() }
                if round % 2 == 0 { connection.abandon() } else { other.close() }
            }
            for call in calls { _ = await call.result }
            try await released.wait()
        }
    }
}

/// A channel that accepts bytes immediately, or on command.
final class EagerChannel: ByteChannel {
    private typealias Receipt = OneShot<Result<Void, NetworkError>>

    private struct State {
        var sent: [[UInt8]] = []
        var held: [(bytes: [UInt8], receipt: Receipt)] = []
        var isHolding = false
        var fails = false
        var isClosed = false
        var begun = 0
        var arrival = OneShot<Void>()
    }

    private let inner: MemoryChannel
    private let released: OneShot<Void>?
    private let state = Locked(State())

    init(_ inner: MemoryChannel, released: OneShot<Void>? = nil) { (self.inner, self.released) = (inner, released) }

    deinit { released?.settle(()) }

    var sent: [[UInt8]] { state.withLock { $0.sent } }

    func hold() { state.withLock { $0.isHolding = true } }

    func fail() { state.withLock { $0.fails = true } }

    /// Accepts the bytes that were held, or fails.
    func release(_ error: NetworkError? = nil) {
        let held = state.withLock { state in
            state.isHolding = false
            if error == nil { state.sent += state.held.map(\.bytes) }
            defer { state.held = [] }
            return state.held
        }
        for (_, receipt) in held { receipt.settle(error.map { .failure($0) } ?? .success(())) }
    }

    func waitForBegun(_ count: Int) async {
        while state.withLock({ $0.begun }) < count { try? await state.withLock { $0.arrival }.wait() }
    }

    var sendsAtOnce: Bool { true }

    func begin(_ bytes: [UInt8]) throws(NetworkError) -> OneShot<Result<Void, NetworkError>>? {
        let (receipt, arrival) = try state.withLock { state throws(NetworkError) -> (Receipt?, OneShot<Void>) in
            if state.fails { throw NetworkError(.tls, reason: "") }
            if state.isClosed { throw NetworkError(.lostMidBody, reason: "the channel is closed") }
            state.begun += 1
            defer { state.arrival = OneShot() }
            guard state.isHolding else {
                state.sent.append(bytes)
                return (nil, state.arrival)
            }
            let receipt = Receipt()
            state.held.append((bytes, receipt))
            return (receipt, state.arrival)
        }
        arrival.settle(())
        return receipt
    }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        guard let receipt = try begin(bytes) else { return }
        let result: Result<Void, NetworkError>
        do throws(CancellationError) {
            result = try await receipt.wait()
        } catch {
            throw NetworkError(kind: .cancelled)
        }
        try result.get()
    }

    func receive() async throws(NetworkError) -> [UInt8]? { try await inner.receive() }

    func close() {
        inner.close()
        let held = state.withLock { state in
            state.isClosed = true
            defer { state.held = [] }
            return state.held
        }
        for (_, receipt) in held {
            receipt.settle(.failure(NetworkError(.lostMidBody, reason: "the channel is closed")))
        }
    }
}
