import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketReaderTests {
    /// Frames of all kinds, with headers of all sizes.
    private static let frames: [RawFrame] = [
        .text("Käsekuchen"),
        .binary((0..<130).map { UInt8($0) }),
        .text("", isFinal: false),
        .ping(Array("mid".utf8)),
        .continuation(Array("frag".utf8), isFinal: false),
        .pong(),
        .continuation(Array("ment".utf8)),
        .binary([]),
        .ping((0..<125).map { UInt8($0) }),
        .close(4321, Array("bye €".utf8)),
    ]

    private static let events: [WebSocketReader.Event] = [
        .message(.text("Käsekuchen")),
        .message(.data(Data((0..<130).map { UInt8($0) }))),
        .ping(Array("mid".utf8)),
        .pong([]),
        .message(.text("fragment")),
        .message(.data(Data())),
        .ping((0..<125).map { UInt8($0) }),
        .close(WebSocketClose(code: 4321, reason: "bye €")),
    ]

    @Test(arguments: [WebSocketFrame.Role.client, .server])
    func `a split at any byte changes no event`(role: WebSocketFrame.Role) {
        let bytes = Self.frames.map { $0.received(at: role) }.bytes
        for split in 0...bytes.count {
            let readout = Readout.of([Array(bytes[..<split]), Array(bytes[split...])], at: role)
            #expect(readout == Readout(events: Self.events), "split at \(split)")
        }
    }

    @Test(arguments: [WebSocketFrame.Role.client, .server], [1, 2, 3, 5, 7, 8, 13])
    func `the sizes of the pieces change no event`(role: WebSocketFrame.Role, size: Int) {
        let bytes = Self.frames.map { $0.received(at: role) }.bytes
        #expect(Readout.of(bytes.pieces(of: size), at: role) == Readout(events: Self.events))
    }

    @Test(arguments: [126, 65_535, 65_536]) func `a long masked message may arrive in pieces`(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 11) }
        let bytes = RawFrame.binary(payload).masked(0x0102_0304).bytes
        let expected = Readout(events: [.message(.data(Data(payload)))])
        for size in [61, 1_001, 16_384] {
            #expect(Readout.of(bytes.pieces(of: size), at: .server) == expected)
        }
    }

    @Test func `pieces without bytes change nothing`() {
        #expect(Readout.of([[], RawFrame.text("a").bytes, [], []]) == Readout(events: [.message(.text("a"))]))
    }

    @Test func `a message of empty fragments is empty`() {
        let frames = [RawFrame.text("", isFinal: false), .continuation([], isFinal: false), .continuation([])]
        #expect(Readout.of([frames.bytes]) == Readout(events: [.message(.text(""))]))
    }

    @Test func `an event is returned as soon as its last byte arrives`() {
        let bytes = RawFrame.ping([1, 2, 3]).bytes
        #expect(Readout.of([Array(bytes.dropLast())]) == Readout())
        #expect(Readout.of([bytes]) == Readout(events: [.ping([1, 2, 3])]))
    }

    @Test(arguments: ["\u{0}", "\u{FEFF}a", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{D7FF}\u{E000}", "e\u{301}"])
    func `every valid text arrives unchanged`(text: String) {
        guard case .message(.text(let read)) = Readout.of([RawFrame.text(text).bytes]).events.first else {
            return #expect(Bool(false))
        }
        #expect(Array(read.utf8) == Array(text.utf8))
    }

    @Test func `a character may be split over fragments at any byte`() {
        let bytes = Array("κ€😀".utf8)
        for split in 0...bytes.count {
            let frames = [
                RawFrame(isFinal: false, opcode: 1, payload: Array(bytes[..<split])),
                .ping(),
                .continuation(Array(bytes[split...])),
            ]
            #expect(Readout.of([frames.bytes]).events == [.ping([]), .message(.text("κ€😀"))])
        }
    }

    @Test func `bytes that are not UTF-8 are valid in a message of bytes`() {
        let frames = [RawFrame.binary([0xFF], isFinal: false), .continuation([0xC0, 0x80])]
        #expect(Readout.of([frames.bytes]).events == [.message(.data(Data([0xFF, 0xC0, 0x80])))])
    }

    @Test(arguments: Array(1000...1003) + Array(1007...1014) + [3000, 3999, 4000, 4999] as [UInt16])
    func `a close frame may have every code that is not reserved`(code: UInt16) {
        #expect(Readout.of([RawFrame.close(code).bytes]).events == [.close(WebSocketClose(code: code))])
    }

    @Test func `a close frame may be empty`() {
        #expect(Readout.of([RawFrame.close().bytes]).events == [.close(nil)])
    }
}
