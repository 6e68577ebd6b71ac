import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketStateMachineTests {
    // MARK: Messages

    @Test func `messages are read in the order of their arrival`() {
        let rig = MachineRig()
        rig.receive(.text("a"), .binary([1]))
        rig.receive(.text("b"))
        #expect(
            [rig.read(), rig.read(), rig.read()] == [
                .message(.text("a")), .message(.data(Data([1]))), .message(.text("b")),
            ])
        #expect(rig.read() == .wait)
    }

    @Test func `a waiting reader is told of the next message`() {
        let rig = MachineRig()
        guard case (.wait(let signal), _) = rig.machine.nextMessage() else { return #expect(Bool(false)) }
        rig.receive(.text("a", isFinal: false), .ping())
        #expect(signal.value == nil)
        rig.receive(.continuation([]))
        #expect(signal.value != nil)
    }

    @Test func `messages are written in the order of the calls, and each receipt follows its message`() throws {
        let rig = MachineRig()
        let receipts = [try rig.send("a"), try rig.send("b")]
        let first = try #require(rig.take())
        #expect(receipts.map(\.outcome) == [nil, nil])
        rig.finishWriting(first)
        #expect(receipts.map(\.outcome) == [.success, nil])
        #expect(rig.write() == [.message(.text("b"))])
        #expect(receipts.map(\.outcome) == [.success, .success])
    }

    @Test func `a waiting writer is told of the next frame`() throws {
        for wake in [{ try $0.send("a") }, { try $0.ping() }, { $0.receive(.ping()) }, { $0.close() }]
            as [(MachineRig) throws -> Void]
        {
            let rig = MachineRig()
            guard case .wait(let signal) = rig.machine.nextFrames(upTo: 1) else { return #expect(Bool(false)) }
            try wake(rig)
            #expect(signal.value != nil)
        }
    }

    // MARK: Pings

    @Test func `a ping is answered with its payload`() {
        let rig = MachineRig()
        rig.receive(.ping([1, 2, 3]))
        #expect(rig.write() == [.pong([1, 2, 3])])
    }

    @Test func `each ping is answered, and the latest 64 of more`() {
        let rig = MachineRig()
        rig.receive(.ping([1]), .ping([2]))
        rig.receive(.ping([3]))
        #expect(rig.write() == [.pong([1]), .pong([2]), .pong([3])])
        for number in 0..<100 as Range<UInt8> { rig.receive(.ping([number])) }
        #expect(rig.write() == (36..<100).map { .pong([$0]) })
    }

    @Test func `a pong is written before the messages that wait`() throws {
        let rig = MachineRig()
        try rig.send("a")
        rig.receive(.ping([1]))
        #expect(rig.write() == [.pong([1]), .message(.text("a"))])
    }

    @Test func `a pong ends the wait for its ping and for earlier ones`() throws {
        let rig = MachineRig()
        let receipts = [try rig.ping(), try rig.ping(), try rig.ping()]
        let payloads = rig.write().compactMap { if case .ping(let payload) = $0 { payload } else { nil } }
        rig.receive(.pong(payloads[1]))
        #expect(receipts.map(\.outcome) == [.success, .success, nil])
        rig.receive(.pong(payloads[0]), .pong(payloads[2]))
        #expect(receipts.map(\.outcome) == [.success, .success, .success])
    }

    @Test func `a pong that answers no ping is ignored`() throws {
        let rig = MachineRig()
        let receipt = try rig.ping()
        rig.write()
        rig.receive(.pong(), .pong([9, 9, 9, 9]), .pong([1]))
        #expect(receipt.outcome == nil)
        #expect(rig.write() == [])
    }

    // MARK: Room

    private func full() -> MachineRig {
        let rig = MachineRig { $0.bufferLimit = 1_000 }
        rig.receive(.binary(.init(repeating: 1, count: 600)), .binary(.init(repeating: 1, count: 600)))
        return rig
    }

    @Test func `a connection is read while there is room`() {
        let rig = MachineRig { $0.bufferLimit = 1_000 }
        rig.receive(.binary(.init(repeating: 1, count: 600)))
        #expect(rig.machine.roomSignal() == nil)
    }

    @Test func `a full buffer is not filled further until a message is read`() {
        let rig = full()
        let signal = rig.machine.roomSignal()
        #expect(signal != nil && signal?.value == nil)
        _ = rig.read()
        #expect(signal?.value != nil)
        #expect(rig.machine.roomSignal() == nil)
    }

    @Test func `one message is accepted with any limit, and messages without bytes fill the buffer, too`() {
        let rig = MachineRig { $0.bufferLimit = 0 }
        #expect(rig.machine.roomSignal() == nil)
        rig.receive(.text(""))
        #expect(rig.machine.roomSignal() != nil)
    }

    @Test func `each end of an open connection makes room`() {
        for end in [
            { $0.close() }, { $0.perform($0.machine.abandon(nil)) }, { $0.perform($0.machine.lost(nil)) },
            { $0.receive(.close(1000)) }, { $0.receive(RawFrame(opcode: 3)) },
        ] as [(MachineRig) -> Void] {
            let rig = full()
            let signal = rig.machine.roomSignal()
            end(rig)
            #expect(signal?.value != nil)
            #expect(rig.machine.roomSignal() == nil)
        }
    }

    @Test func `a full buffer does not hide the other end's close frame from a close`() {
        let rig = full()
        rig.close()
        rig.write()
        rig.receive(.text("does not fit"), .close(1000))
        #expect(rig.hasEnded)
        let readings = (0..<3).map { _ in rig.read() }
        #expect(readings.last == .end)
    }

    @Test func `after a message that did not fit while this end closes no later one is delivered`() {
        let rig = full()
        rig.close()
        rig.receive(.text("does not fit"))
        for _ in 0..<2 { _ = rig.read() }
        rig.receive(.text("fits, but would hide a gap"))
        #expect(rig.read() == .wait)
        rig.receive(.close(1000))
        rig.write()
        #expect(rig.read() == .end)
    }

    // MARK: Silence

    @Test func `silence for an interval sends a ping, and for two it ends the connection`() {
        let rig = MachineRig()
        rig.passInterval()
        #expect(rig.write() == [.ping([])])
        rig.passInterval()
        #expect(rig.isChannelClosed)
        #expect(rig.read() == .failure(.timeout))
        #expect(!rig.passInterval())
    }

    @Test func `a ping after silence is written before the messages that wait`() throws {
        let rig = MachineRig()
        try rig.send("a")
        rig.passInterval()
        #expect(rig.write() == [.ping([]), .message(.text("a"))])
    }

    @Test func `a ping that waits for a message that is being written gets another interval`() throws {
        let rig = MachineRig()
        try rig.send("a")
        try rig.send("b")
        let first = try #require(rig.take())
        rig.passInterval()
        rig.finishWriting(first)
        rig.passInterval()
        #expect(!rig.hasEnded)
        #expect(rig.write() == [.ping([]), .message(.text("b"))])
        rig.passInterval()
        #expect(rig.read() == .failure(.timeout))
    }

    @Test func `a connection that takes nothing is lost, although its ping was never written`() throws {
        let rig = MachineRig()
        try rig.send("a")
        #expect(rig.take() != nil)
        rig.passInterval()
        #expect(!rig.hasEnded)
        rig.passInterval()
        #expect(rig.read() == .failure(.timeout))
    }

    @Test func `messages that the system takes do not hide that no ping is answered`() throws {
        let rig = MachineRig()
        rig.passInterval()
        for text in ["a", "b", "c"] {
            try rig.send(text)
            rig.write()
        }
        rig.passInterval()
        #expect(rig.read() == .failure(.timeout))
    }

    @Test func `any byte of the other end breaks the silence`() {
        let rig = MachineRig()
        for _ in 0..<10 {
            rig.passInterval()
            rig.receive([RawFrame.text("a").bytes[0]])
            rig.receive(Array(RawFrame.text("a").bytes[1...]))
        }
        #expect(!rig.isChannelClosed)
    }

    @Test func `a ping after silence is answered by any byte, and leaves nothing behind`() throws {
        let rig = MachineRig()
        let size = {
            var text = ""
            dump(rig.machine, to: &text)
            return text.count
        }
        var sizes: Set<Int> = []
        for _ in 0..<100 {
            rig.passInterval()
            #expect(rig.write() == [.ping([])])
            rig.receive(.text("a"))
            _ = rig.read()
            rig.passInterval()
            sizes.insert(size())
        }
        #expect(!rig.hasEnded && sizes.count == 1)
    }

    @Test func `the pong of a ping after silence does not answer the ping of a call`() throws {
        let rig = MachineRig()
        rig.passInterval()
        let receipt = try rig.ping()
        rig.write()
        rig.receive(.pong())
        #expect(receipt.outcome == nil)
    }

    @Test func `a connection that is not read because of its reader is not lost`() {
        let rig = full()
        for _ in 0..<5 { rig.passInterval() }
        #expect(rig.write() == [])
        #expect(!rig.isChannelClosed)
    }

    @Test func `a connection that closes sends no pings`() {
        let rig = MachineRig()
        rig.close()
        #expect(!rig.passInterval())
    }
}
