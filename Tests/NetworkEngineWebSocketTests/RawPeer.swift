@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// A connection's other end, driven by a test: it sends arbitrary bytes, and reads frames one by one.
final class RawPeer {
    let channel: MemoryChannel
    private let role: WebSocketFrame.Role
    private var reader: WebSocketReader

    /// Connects a connection with the given role to a peer.
    static func connected(
        to role: WebSocketFrame.Role = .client,
        clock: any Clock<Duration> = TestClock(),
        _ change: (inout WebSocketOptions) -> Void = { _ in }
    ) -> (connection: FramedConnection, peer: RawPeer) {
        let (own, other) = MemoryChannel.pair()
        var options = WebSocketOptions()
        change(&options)
        let connection = FramedConnection(own, as: role, offer: WebSocketOffer(options: options, clock: clock))
        return (connection, RawPeer(other, of: role))
    }

    /// - Parameter role: the role of the end under test.
    init(_ channel: MemoryChannel, of role: WebSocketFrame.Role) {
        self.channel = channel
        self.role = role
        reader = WebSocketReader(at: role == .client ? .server : .client, limit: .max)
    }

    func send(_ frames: RawFrame...) async throws {
        try await channel.send(frames.map { $0.received(at: role) }.bytes)
    }

    /// The next frame from the end under test; `nil` at the end of the connection.
    func next() async throws -> WebSocketReader.Event? {
        while true {
            if let event = try reader.next() { return event }
            guard let bytes = try await channel.receive() else { return nil }
            reader.add(bytes)
        }
    }
}

/// A channel that reports when it's released, which the connection does as it ends.
final class ReleasedChannel: ByteChannel {
    private let channel: MemoryChannel
    private let released: OneShot<Void>

    init(_ channel: MemoryChannel, released: OneShot<Void>) {
        (self.channel, self.released) = (channel, released)
    }

    deinit { released.settle(()) }

    func receive() async throws(NetworkError) -> [UInt8]? { try await channel.receive() }
    func send(_ bytes: [UInt8]) async throws(NetworkError) { try await channel.send(bytes) }
    func close() { channel.close() }
}

/// A channel that reports when it's closed, and that fails to send on command.
final class WatchedChannel: ByteChannel {
    /// Settled when the connection closes the channel.
    let closed = OneShot<Void>()
    private let channel: MemoryChannel
    private let failure = Locked<NetworkError?>(nil)

    init(_ channel: MemoryChannel) { self.channel = channel }

    /// Fails all sends from now on. Receiving continues.
    func failSends() { failure.withLock { $0 = NetworkError(.tls, reason: "") } }

    func receive() async throws(NetworkError) -> [UInt8]? { try await channel.receive() }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
        try await channel.send(bytes)
    }

    func close() {
        channel.close()
        closed.settle(())
    }
}

/// A channel that doesn't accept bytes, as if the other end weren't reading.
final class DeafChannel: ByteChannel {
    /// Settled when the first bytes are sent.
    let began = OneShot<Void>()
    private let channel: MemoryChannel
    private let closed = OneShot<Void>()

    init(_ channel: MemoryChannel) { self.channel = channel }

    func receive() async throws(NetworkError) -> [UInt8]? { try await channel.receive() }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        began.settle(())
        try? await closed.wait()
        throw NetworkError(.lostMidBody, reason: "the channel is closed")
    }

    func close() {
        channel.close()
        closed.settle(())
    }
}

extension FramedConnection {
    /// All messages up to the end, and the kind of the error that follows.
    func receiveAll() async -> (messages: [WebSocketMessage], failure: NetworkErrorKind?) {
        var messages: [WebSocketMessage] = []
        do throws(NetworkError) {
            while let message = try await receive() { messages.append(message) }
            return (messages, nil)
        } catch {
            return (messages, error.kind)
        }
    }
}
