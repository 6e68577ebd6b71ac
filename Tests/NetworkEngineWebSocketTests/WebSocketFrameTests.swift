import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketFrameTests {
    private static let hello = Array("Hello".utf8)
    private static let key: UInt32 = 0x37FA_213D

    // MARK: The examples from RFC 6455, 5.7

    @Test func `an unmasked text is written as in the standard`() {
        #expect(
            WebSocketFrame.bytes(.text, Self.hello, from: .server) == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    }

    @Test func `a masked text is written as in the standard`() {
        let bytes = WebSocketFrame.bytes(.text, Self.hello, from: .client, mask: Self.key)
        #expect(bytes == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test func `an unmasked ping and its masked pong are written as in the standard`() {
        let ping = WebSocketFrame.bytes(.ping, Self.hello, from: .server)
        let pong = WebSocketFrame.bytes(.pong, Self.hello, from: .client, mask: Self.key)
        #expect(ping == [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        #expect(pong == [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test func `the examples of the standard are read`() {
        let fragments: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        let ping: [UInt8] = [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]
        #expect(Readout.of([fragments]) == Readout(events: [.message(.text("Hello"))]))
        #expect(Readout.of([masked], at: .server) == Readout(events: [.message(.text("Hello"))]))
        #expect(Readout.of([ping]) == Readout(events: [.ping(Self.hello)]))
    }

    // MARK: Lengths

    @Test(
        arguments: [
            (0, [0x82, 0x00]), (1, [0x82, 0x01]), (125, [0x82, 0x7D]), (126, [0x82, 0x7E, 0, 126]),
            (256, [0x82, 0x7E, 1, 0]), (65_535, [0x82, 0x7E, 0xFF, 0xFF]),
            (65_536, [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func `a length is written in its shortest form`(count: Int, head: [UInt8]) {
        let payload = [UInt8](repeating: 7, count: count)
        #expect(WebSocketFrame.bytes(.binary, payload, from: .server) == head + payload)
        let masked = WebSocketFrame.bytes(.binary, payload, from: .client, mask: 0)
        #expect(masked == [head[0], head[1] | 0x80] + head[2...] + [0, 0, 0, 0] + payload)
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536], [WebSocketFrame.Role.client, .server])
    func `the other end reads what one end writes`(count: Int, role: WebSocketFrame.Role) {
        let message = WebSocketMessage.data(.sample(count))
        let bytes = WebSocketFrame.bytes(message, from: role)
        let other: WebSocketFrame.Role = role == .client ? .server : .client
        #expect(Readout.of([bytes], at: other) == Readout(events: [.message(message)]))
    }

    @Test func `each frame of a client has a key of its own`() {
        let keys = (0..<50).map { _ in WebSocketFrame.bytes(.ping, [], from: .client)[2...] }
        #expect(Set(keys).count == 50)
    }

    // MARK: Close frames

    @Test func `a close frame carries its code and its reason`() {
        let bytes = WebSocketFrame.bytes(WebSocketClose(code: 4001, reason: "é"), from: .server)
        #expect(bytes == [0x88, 0x04, 0x0F, 0xA1, 0xC3, 0xA9])
    }

    @Test func `a close frame without a code is empty`() {
        #expect(WebSocketFrame.bytes(nil as WebSocketClose?, from: .server) == [0x88, 0x00])
        #expect(WebSocketFrame.bytes(WebSocketClose(code: 1005), from: .server) == [0x88, 0x00])
    }
}

@Suite(.timeLimit(.minutes(5))) struct WebSocketMaskTests {
    private func expected(_ bytes: [UInt8], _ key: [UInt8], from start: Int, offset: Int) -> [UInt8] {
        bytes.enumerated().map { $0 < start ? $1 : $1 ^ key[($0 - start + offset) % 4] }
    }

    @Test(arguments: 0..<9) func `each byte is combined with the byte of the key at its place`(offset: Int) {
        for start in 0..<9 {
            for count in start..<45 {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97) }
                var masked = bytes
                WebSocketMask(0x0A1B_2C3D).apply(to: &masked, from: start, offset: offset)
                #expect(masked == expected(bytes, [0x0A, 0x1B, 0x2C, 0x3D], from: start, offset: offset))
            }
        }
    }

    @Test func `masking twice restores the bytes`() {
        let bytes = (0..<100).map { UInt8($0) }
        var twice = bytes
        for _ in 0..<2 { WebSocketMask(.max - 12_345).apply(to: &twice, from: 3, offset: 1) }
        #expect(twice == bytes)
    }
}
