import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(10)), .enabled(if: Deflater.isAvailable, "the system has no zlib"))
struct CompressedConnectionTests {
    private static func connection(
        _ channel: MemoryChannel,
        as role: WebSocketFrame.Role,
        _ terms: CompressionTerms = CompressionTerms(),
        _ change: (inout WebSocketOptions) -> Void = { _ in }
    ) -> FramedConnection {
        var options = WebSocketOptions()
        change(&options)
        let offer = WebSocketOffer(options: options, clock: TestClock())
        return FramedConnection(channel, as: role, offer: offer, compression: terms)
    }

    @Test(arguments: [true, false])
    func `messages of every kind and size come back as they were sent`(keepsContext: Bool) async throws {
        let side = CompressionTerms.Side(keepsContext: keepsContext)
        let (one, other) = MemoryChannel.pair()
        let terms = CompressionTerms(client: side, server: side)
        let (client, server) = (
            Self.connection(one, as: .client, terms), Self.connection(other, as: .server, terms)
        )
        for size in [0, 1, 63, 64, 65, 1_000, 100_000, 3 << 20] {
            let text = WebSocketMessage.text(String(repeating: "ü", count: size / 2))
            let data = WebSocketMessage.data(.sample(size))
            for message in [text, data] {
                async let sent: Void = client.send(message)
                #expect(try await server.receive() == message)
                try await sent
                async let answered: Void = server.send(message)
                #expect(try await client.receive() == message)
                try await answered
            }
        }
        client.abandon()
        server.abandon()
    }

    @Test func `small messages are sent as they are, and large ones compressed`() async throws {
        let (own, other) = MemoryChannel.pair()
        let connection = Self.connection(own, as: .server) { $0.compression?.threshold = 100 }
        try await connection.send(.text(String(repeating: "a", count: 99)))
        let small = try #require(try await other.receive())
        #expect(small[0] == 0x81)
        #expect(small.count == 101)
        try await connection.send(.text(String(repeating: "a", count: 100)))
        let large = try #require(try await other.receive())
        #expect(large[0] == 0xC1)
        #expect(large.count < 20)
        connection.abandon()
    }

    @Test func `a reader that is slow keeps few of many messages that inflate`() async throws {
        let (own, other) = MemoryChannel.pair()
        let connection = Self.connection(own, as: .client) { $0.bufferLimit = 1 }
        let deflater = try #require(MessageDeflater(CompressionTerms.Side()))
        let text = String(repeating: "a", count: 1 << 20)
        var frames: [UInt8] = []
        for _ in 0..<50 {
            let payload = try #require(Array(text.utf8).withUnsafeBufferPointer { deflater.deflate($0) })
            frames += RawFrame(reserved: 0x40, opcode: 1, payload: payload).bytes
        }
        #expect(frames.count < 100_000)
        try await other.send(frames + RawFrame.ping([7]).bytes + RawFrame.close(1000).bytes)
        // The ping after the messages is answered once they have been read: they are decompressed one by one.
        let pong = Task { try await other.receive() }
        for _ in 0..<49 { #expect(try await connection.receive() == .text(text)) }
        #expect(connection.close == nil)
        #expect(try await connection.receive() == .text(text))
        #expect(try await pong.value?.first == 0x8A)
        #expect(try await connection.receive() == nil)
        #expect(connection.close?.code == 1000)
        connection.abandon()
    }

    @Test func `an invalid compression closes the connection with the code 1007`() async throws {
        let (own, other) = MemoryChannel.pair()
        let connection = Self.connection(own, as: .client)
        try await other.send(RawFrame(reserved: 0x40, opcode: 1, payload: [0xFF, 0xFF]).bytes)
        let (messages, failure) = await connection.receiveAll()
        #expect(messages.isEmpty)
        #expect(failure == .protocolViolation)
        #expect(connection.close?.code == 1007)
        connection.abandon()
    }
}
