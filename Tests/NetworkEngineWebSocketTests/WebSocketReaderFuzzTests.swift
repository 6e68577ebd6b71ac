import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct WebSocketReaderFuzzTests {
    private static let limit = 500

    /// The number of bytes that a reader stores.
    private func size(of reader: WebSocketReader) -> Int {
        Mirror(reflecting: reader).children.reduce(0) { $0 + (($1.value as? [UInt8])?.count ?? 0) }
    }

    /// Bytes that usually start like a frame.
    private func noise(_ count: Int, at role: WebSocketFrame.Role, using random: inout SeededGenerator) -> [UInt8] {
        var bytes = [UInt8].random(count, using: &random)
        for _ in 0..<Int.random(in: 0...4, using: &random) where count > 8 {
            let index = Int.random(in: 0..<count - 1, using: &random)
            let opcodes: [UInt8] = [0x00, 0x01, 0x02, 0x80, 0x81, 0x82, 0x88, 0x89, 0x8A]
            bytes[index] = opcodes.randomElement(using: &random) ?? 0
            bytes[index + 1] = (role == .server ? 0x80 : 0) | UInt8.random(in: 0...127, using: &random)
        }
        return bytes
    }

    @Test func `random bytes never store more than the limit and the latest piece`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            let role: WebSocketFrame.Role = Bool.random(using: &random) ? .client : .server
            var reader = WebSocketReader(at: role, limit: Self.limit)
            var readout = Readout()
            let payload = [UInt8].random(.random(in: 0...300, using: &random), using: &random)
            let start = RawFrame.binary(payload, isFinal: false)
            let bytes = start.received(at: role).bytes + noise(2_000, at: role, using: &random)
            for piece in bytes.pieces(upTo: 200, using: &random) where readout.code == nil {
                reader.add(piece)
                readout.add(from: &reader)
                // The header of the next frame, and a control frame.
                #expect(size(of: reader) <= Self.limit + piece.count + 14 + 125, "seed \(seed)")
            }
        }
    }

    @Test func `a frame that is announced and never sent takes no memory`() {
        var reader = WebSocketReader(at: .client, limit: .max)
        reader.add(RawFrame(opcode: 2, length: 1 << 60).bytes)
        var readout = Readout()
        readout.add(from: &reader)
        #expect(readout == Readout())
        #expect(size(of: reader) < 100)
    }

    private struct Conversation {
        var frames: [RawFrame] = []
        var events: [WebSocketReader.Event] = []

        init(using random: inout SeededGenerator) {
            for _ in 0..<Int.random(in: 0...8, using: &random) { addMessage(using: &random) }
            addControl(using: &random)
        }

        mutating func addMessage(using random: inout SeededGenerator) {
            let isText = Bool.random(using: &random)
            let count = [0, 1, 5, 125, 126, 127, 400].randomElement(using: &random) ?? 0
            let text = String((0..<count).map { _ in "aß€😀".randomElement(using: &random) ?? "a" })
            let payload = isText ? Array(text.utf8) : .random(count, using: &random)
            var fragments = payload.pieces(upTo: 150, using: &random)
            if fragments.isEmpty || Bool.random(using: &random) { fragments.append([]) }
            for (index, fragment) in fragments.enumerated() {
                if index > 0, Bool.random(using: &random) { addControl(using: &random) }
                let opcode: UInt8 = index > 0 ? 0 : isText ? 1 : 2
                let isFinal = index == fragments.count - 1
                frames.append(RawFrame(isFinal: isFinal, opcode: opcode, payload: fragment))
            }
            events.append(.message(isText ? .text(text) : .data(Data(payload))))
        }

        mutating func addControl(using random: inout SeededGenerator) {
            let payload = [UInt8].random(.random(in: 0...125, using: &random), using: &random)
            let isPing = Bool.random(using: &random)
            frames.append(isPing ? .ping(payload) : .pong(payload))
            events.append(isPing ? .ping(payload) : .pong(payload))
        }
    }

    @Test func `every valid conversation is read in full, in pieces of any size`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            let conversation = Conversation(using: &random)
            let role: WebSocketFrame.Role = Bool.random(using: &random) ? .client : .server
            let frames = conversation.frames.map { frame in
                role == .server ? frame.masked(.random(in: .min ... .max, using: &random)) : frame
            }
            let readout = Readout.of(frames.bytes.pieces(upTo: 300, using: &random), at: role)
            #expect(readout == Readout(events: conversation.events), "seed \(seed)")
        }
    }
}
