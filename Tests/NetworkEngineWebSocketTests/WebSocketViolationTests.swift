import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketViolationTests {
    struct Violation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let frames: [RawFrame]

        init(_ name: String, _ frames: RawFrame...) { (testDescription, self.frames) = (name, frames) }
    }

    private static let badHeaders: [Violation] =
        ([0x40, 0x20, 0x10, 0x70] as [UInt8]).flatMap { bits in
            [
                Violation("text with the bits \(bits)", RawFrame(reserved: bits, opcode: 1)),
                Violation("ping with the bits \(bits)", RawFrame(reserved: bits, opcode: 9)),
                Violation(
                    "fragment with the bits \(bits)", .text("", isFinal: false), RawFrame(reserved: bits, opcode: 0)),
            ]
        }
        + ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).map { opcode in
            Violation("opcode \(opcode)", RawFrame(opcode: opcode))
        }

    private static let badControls: [Violation] = ([8, 9, 10] as [UInt8]).flatMap { opcode in
        let long = [UInt8](repeating: 0, count: 126)
        return [
            Violation("fragmented control frame \(opcode)", RawFrame(isFinal: false, opcode: opcode)),
            Violation("control frame \(opcode) of 126 bytes", RawFrame(opcode: opcode, payload: long)),
            Violation("control frame \(opcode) of 2^40 bytes", RawFrame(opcode: opcode, length: 1 << 40)),
        ]
    }

    private static let badOrders = [
        Violation("continuation first", .continuation([1])),
        Violation("continuation after a message", .text("a"), .continuation([1])),
        Violation("continuation after the last one", .text("a", isFinal: false), .continuation([]), .continuation([])),
        Violation("text in a text", .text("a", isFinal: false), .text("b")),
        Violation("bytes in a text", .text("a", isFinal: false), .binary([1])),
        Violation("text in bytes, after a ping", .binary([], isFinal: false), .ping(), .text("b")),
        Violation("length of 64 bits", RawFrame(opcode: 2, length: 1 << 63)),
        Violation("longest length", RawFrame(opcode: 2, length: .max)),
    ]

    private static let badCloses =
        [Violation("half of a close code", RawFrame(opcode: 8, payload: [3]))]
        + ([0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, .max] as [UInt16]).map { code in
            Violation("close code \(code)", .close(code))
        }

    @Test(arguments: badHeaders + badControls + badOrders + badCloses, [WebSocketFrame.Role.client, .server])
    func `a broken rule is a fault with the code 1002`(violation: Violation, role: WebSocketFrame.Role) {
        let bytes = violation.frames.map { $0.received(at: role) }.bytes
        #expect(Readout.of([bytes], at: role).code == 1002)
        #expect(Readout.of(bytes.pieces(of: 1), at: role).code == 1002)
    }

    @Test func `a client refuses a masked frame, and a server one that is not masked`() {
        for frame in [RawFrame.text("a"), .ping(), .close(1000)] {
            #expect(Readout.of([frame.masked().bytes], at: .client).code == 1002)
            #expect(Readout.of([frame.masked(0).bytes], at: .client).code == 1002)
            #expect(Readout.of([frame.bytes], at: .server).code == 1002)
        }
    }

    @Test(arguments: [
        [0x82, 126, 0, 125], [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1], [0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255],
    ])
    func `a length that is not in its shortest form breaks a rule`(header: [UInt8]) {
        #expect(Readout.of([header]).code == 1002)
    }

    @Test func `an invalid byte of a text is a fault before the text is complete`() {
        let frame = RawFrame(opcode: 1, payload: Array("Käse".utf8) + [0xFF], length: 1 << 20)
        #expect(Readout.of([frame.bytes]).code == 1007)
        let fragment = RawFrame(isFinal: false, opcode: 1, payload: [0xC3])
        #expect(Readout.of([fragment.bytes]).code == nil)
        #expect(Readout.of([fragment.bytes + RawFrame.continuation([0x28], isFinal: false).bytes]).code == 1007)
    }

    @Test func `a check of pieces accepts what the standard library accepts`() {
        var random = SeededGenerator(seed: 1)
        let pool: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
        ]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1...8, using: &random)).map { _ in pool.randomElement(using: &random) ?? 0 }
            let isValid = Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
            let split = Int.random(in: 0...bytes.count, using: &random)
            let payloads = [Array(bytes[..<split]), Array(bytes[split...])]
            let frames = [RawFrame(isFinal: false, opcode: 1, payload: payloads[0]), .continuation(payloads[1])]
            #expect((Readout.of([frames.bytes]).code == nil) == isValid, "\(bytes)")
        }
    }

    @Test func `events before a fault are returned`() {
        let readout = Readout.of([[RawFrame.text("a"), .ping([1]), RawFrame(opcode: 3)].bytes])
        #expect(readout == Readout(events: [.message(.text("a")), .ping([1])], code: 1002))
    }

    @Test func `a rule is checked as soon as its bytes have arrived`() {
        #expect(Readout.of([[0xC1, 0x05]]).code == 1002)
        #expect(Readout.of([[0x83, 0x05]]).code == 1002)
        #expect(Readout.of([[0x89, 0x7E]]).code == 1002)
        #expect(Readout.of([[0x81, 0x85]]).code == 1002)
        #expect(Readout.of([[0x80, 0x05]]).code == 1002)
    }

    // MARK: UTF-8

    private static let invalidTexts: [[UInt8]] = [
        [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xE0, 0x80, 0x80],
        [0xF0, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0x61, 0xC3, 0x28],
        [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5, 0xED, 0xA0, 0x80, 0x65],
    ]

    @Test(arguments: invalidTexts)
    func `a text that is not valid UTF-8 is a fault with the code 1007`(bytes: [UInt8]) {
        let whole = RawFrame(opcode: 1, payload: bytes)
        let fragments = [RawFrame(isFinal: false, opcode: 1, payload: bytes), .continuation([])]
        let close = RawFrame.close(1000, bytes)
        #expect(Readout.of([whole.bytes]) == Readout(code: 1007))
        #expect(Readout.of([fragments.bytes]) == Readout(code: 1007))
        #expect(Readout.of([close.bytes]) == Readout(code: 1007))
    }

    // MARK: The limit

    @Test func `a message of the limit is accepted, and a byte more is a fault with the code 1009`() {
        let message = WebSocketMessage.data(Data(count: 300))
        let frame = RawFrame.binary([UInt8](repeating: 0, count: 300))
        #expect(Readout.of([frame.bytes], limit: 300) == Readout(events: [.message(message)]))
        #expect(Readout.of([frame.bytes], limit: 299) == Readout(code: 1009))
    }

    @Test(arguments: [0, 125, 126, 65_535, 65_536, 1 << 40])
    func `the limit is checked at the header, before the bytes arrive`(limit: Int) {
        let header = RawFrame(opcode: 2, length: UInt64(limit) + 1).bytes
        #expect(Readout.of([header], limit: limit) == Readout(code: 1009))
        #expect(Readout.of([Array(header.dropLast())], limit: limit) == Readout())
    }

    @Test func `the largest legal length is only too large`() {
        let header = RawFrame(opcode: 2, length: 1 << 63 - 1).bytes
        #expect(Readout.of([header], limit: 100) == Readout(code: 1009))
        #expect(Readout.of([header], limit: .max) == Readout())
    }

    @Test func `the fragments of a message count together, at the header of the last one`() {
        let start = [RawFrame.text("123456", isFinal: false), .continuation([55, 56], isFinal: false)].bytes
        let fitting = start + RawFrame.continuation([57, 48]).bytes
        let header = RawFrame(opcode: 0, length: 3).bytes
        #expect(Readout.of([fitting], limit: 10) == Readout(events: [.message(.text("1234567890"))]))
        #expect(Readout.of([start + header], limit: 10) == Readout(code: 1009))
    }

    @Test func `control frames and earlier messages do not count for the limit`() {
        let frames = [
            RawFrame.text("12345"), .text("12", isFinal: false), .ping(.init(repeating: 1, count: 100)),
            .continuation(Array("345".utf8)), .text("12345"),
        ]
        let readout = Readout.of([frames.bytes], limit: 5)
        #expect(readout.code == nil)
        #expect(readout.events.count == 4)
    }
}
