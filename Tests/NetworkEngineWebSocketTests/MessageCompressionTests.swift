import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(10)), .enabled(if: Deflater.isAvailable, "the system has no zlib"))
struct MessageCompressionTests {
    typealias Side = CompressionTerms.Side

    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

    /// The same message in a block marked as the last one.
    private static let lastBlock: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]

    private static func inflated(_ messages: [[UInt8]], _ side: Side = Side(), limit: Int = 1 << 20) throws -> [String]
    {
        let inflater = try #require(MessageInflater(side))
        return try messages.map { message in
            var plain: [UInt8] = []
            try inflater.inflate(message[...], into: &plain, limit: limit)
            try inflater.finish(into: &plain, limit: limit)
            return String(decoding: plain, as: UTF8.self)
        }
    }

    private static func deflated(_ text: String, by deflater: MessageDeflater) throws -> [UInt8] {
        try #require(Array(text.utf8).withUnsafeBufferPointer { deflater.deflate($0) })
    }

    /// The examples from RFC 7692, 7.2.3.
    @Test(
        arguments: [
            ([hello], ["Hello"]),
            ([hello, [0xF2, 0x00, 0x11, 0x00, 0x00]], ["Hello", "Hello"]),
            ([hello, hello], ["Hello", "Hello"]),
            ([[0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]], ["Hello"]),
            ([lastBlock, hello], ["Hello", "Hello"]),
            ([lastBlock, [0xF2, 0x00, 0x11, 0x00, 0x00]], ["Hello", "Hello"]),
            ([[0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]], ["Hello"]),
            ([[0x00]], [""]), ([[]], [""]), ([[], hello], ["", "Hello"]),
        ] as [([[UInt8]], [String])])
    func `the examples of the standard are decompressed`(messages: [[UInt8]], texts: [String]) throws {
        #expect(try Self.inflated(messages) == texts)
    }

    @Test func `a message is compressed as in the standard`() throws {
        let deflater = try #require(MessageDeflater(Side()))
        #expect(try Self.deflated("Hello", by: deflater) == Self.hello)
        #expect(try Self.deflated("Hello", by: deflater) == [0xF2, 0x00, 0x11, 0x00, 0x00])
    }

    @Test func `without its context a message is compressed as the first one`() throws {
        let deflater = try #require(MessageDeflater(Side(keepsContext: false)))
        #expect(try Self.deflated("Hello", by: deflater) == Self.hello)
        #expect(try Self.deflated("Hello", by: deflater) == Self.hello)
        // The other end also discards its context.
        #expect(throws: WebSocketFault.self) {
            try Self.inflated([Self.hello, [0xF2, 0x00, 0x11, 0x00, 0x00]], Side(keepsContext: false))
        }
    }

    @Test(arguments: [true, false], [8, 9, 12, 15])
    func `what one end compresses the other one decompresses`(keepsContext: Bool, bits: Int) throws {
        var random = SeededGenerator(seed: UInt64(bits))
        let side = Side(keepsContext: keepsContext, windowBits: bits)
        guard let deflater = MessageDeflater(side) else {
            // zlib can't restrict itself to such a window, so messages are sent uncompressed.
            #expect(bits == 8)
            return
        }
        let inflater = try #require(MessageInflater(side))
        for round in 0..<TestLength.count(12, gate: 60, whole: 60) {
            let size = [1, 20, 300, 5_000, 70_000, 300_000][round % 6] + Int.random(in: 0...9, using: &random)
            let letters = UInt8.random(in: 1...255, using: &random)
            // Some bytes from a few letters; in a long message, they recur between others.
            let some = (0..<min(size, 1_000)).map { _ in UInt8.random(in: 0...letters, using: &random) }
            var message = some
            while message.count < size {
                message += Data.noise(.random(in: 0...10_000, using: &random), using: &random)
                for _ in 0..<9 { message += some.suffix(.random(in: 0...1_000, using: &random)) }
            }
            message.removeSubrange(size...)
            let compressed = try #require(message.withUnsafeBufferPointer { deflater.deflate($0) })
            var plain: [UInt8] = []
            for piece in compressed.pieces(upTo: 10_000, using: &random) {
                try inflater.inflate(piece[...], into: &plain, limit: size)
            }
            try inflater.finish(into: &plain, limit: size)
            #expect(plain == message)
        }
    }

    @Test func `an empty message is not compressed`() throws {
        let deflater = try #require(MessageDeflater(Side()))
        #expect([].withUnsafeBufferPointer { deflater.deflate($0) } == nil)
    }

    @Test(
        arguments: [
            [0xFF, 0xFF], [0x06], [0xF2], [0xF2, 0x48], [0xF2, 0x48, 0xCD, 0xC9, 0xC9],
            [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48],
            [0x00, 0x05, 0x00, 0xFA, 0xFE, 0x48], [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0xFF],
        ] as [[UInt8]])
    func `a message that is cut off or invalid is a fault with the code 1007`(bytes: [UInt8]) {
        let fault = #expect(throws: WebSocketFault.self) { try Self.inflated([bytes]) }
        #expect(fault?.code == 1007)
    }

    @Test func `a message that inflates beyond the limit is a fault at the limit`() throws {
        let deflater = try #require(MessageDeflater(Side()))
        let bomb = try Self.deflated(String(repeating: "a", count: 16 << 20), by: deflater)
        #expect(bomb.count < 100_000)
        let inflater = try #require(MessageInflater(Side()))
        var plain: [UInt8] = []
        let fault = #expect(throws: WebSocketFault.self) {
            try inflater.inflate(bomb[...], into: &plain, limit: 1 << 20)
        }
        #expect(fault?.code == 1009)
        #expect(plain.count < 1 << 20 + 1 << 14)
    }

    @Test func `noise ends with a fault or within the limit`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let inflater = try #require(MessageInflater(Side()))
            var plain: [UInt8] = []
            for _ in 0..<3 {
                let noise = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                guard (try? inflater.inflate(noise[...], into: &plain, limit: 10_000)) != nil,
                    (try? inflater.finish(into: &plain, limit: 10_000)) != nil
                else { break }
                #expect(plain.count <= 10_000)
            }
        }
    }

    // MARK: Frames

    private static func read(
        _ frames: [RawFrame],
        _ side: Side? = Side(),
        at role: WebSocketFrame.Role = .client
    ) -> Readout {
        let bytes = frames.map { $0.received(at: role) }.bytes
        let whole = Readout.of([bytes], at: role, compression: side)
        #expect(Readout.of(bytes.pieces(of: 1), at: role, compression: side) == whole)
        return whole
    }

    private static func compressed(_ payload: [UInt8], isFinal: Bool = true) -> RawFrame {
        RawFrame(isFinal: isFinal, reserved: 0x40, opcode: 1, payload: payload)
    }

    @Test(arguments: [WebSocketFrame.Role.client, .server])
    func `compressed messages stand beside others, whole and in fragments`(role: WebSocketFrame.Role) {
        let readout = Self.read(
            [
                Self.compressed(Self.hello), .text("Hello"), Self.compressed(Array(Self.hello[..<3]), isFinal: false),
                .ping([1]), .continuation(Array(Self.hello[3...]), isFinal: false), .continuation([]),
                Self.compressed([0xF2, 0x00, 0x11, 0x00, 0x00]), Self.compressed([0x00]),
            ], at: role)
        let hello = WebSocketReader.Event.message(.text("Hello"))
        #expect(readout == Readout(events: [hello, hello, .ping([1]), hello, hello, .message(.text(""))]))
    }

    @Test func `only the first frame of a message says that it is compressed`() {
        let frames: [[RawFrame]] = [
            [RawFrame(reserved: 0x40, opcode: 9)], [RawFrame(reserved: 0x40, opcode: 8)],
            [.text("a", isFinal: false), RawFrame(reserved: 0x40, opcode: 0, payload: Self.hello)],
            [Self.compressed([], isFinal: false), RawFrame(reserved: 0x40, opcode: 0, payload: Self.hello)],
            [RawFrame(reserved: 0x60, opcode: 1, payload: Self.hello)],
            [RawFrame(reserved: 0x50, opcode: 1, payload: Self.hello)],
        ]
        for frames in frames { #expect(Self.read(frames).code == 1002) }
        #expect(Self.read([Self.compressed(Self.hello)], nil).code == 1002)
    }

    @Test func `a text that is not UTF-8 after it was decompressed is a fault`() throws {
        let deflater = try #require(MessageDeflater(Side()))
        let bytes = try #require(([0x61, 0xFF] as [UInt8]).withUnsafeBufferPointer { deflater.deflate($0) })
        #expect(Self.read([Self.compressed(bytes)]).code == 1007)
    }

    @Test func `the limit counts what a message contains`() throws {
        let deflater = try #require(MessageDeflater(Side()))
        let bytes = try Self.deflated(String(repeating: "a", count: 100_001), by: deflater)
        let frame = Self.compressed(bytes).bytes
        #expect(Readout.of([frame], limit: 100_000, compression: Side()).code == 1009)
        #expect(Readout.of([frame], limit: 100_001, compression: Side()).events.count == 1)
    }
}
