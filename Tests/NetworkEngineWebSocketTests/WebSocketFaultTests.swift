import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

/// The effects of a violation, and calls after the end.
@Suite(.timeLimit(.minutes(5))) struct WebSocketFaultTests {
    // MARK: Violations

    @Test(
        arguments: [
            (RawFrame(opcode: 3), 1002, .protocolViolation),
            (RawFrame(opcode: 1, payload: [0xFF]), 1007, .protocolViolation),
            (RawFrame(opcode: 2, length: 1_001), 1009, .limit),
        ] as [(RawFrame, UInt16, NetworkErrorKind)])
    func `a fault fails reading at once, and its code is sent`(frame: RawFrame, code: UInt16, kind: NetworkErrorKind) {
        let rig = MachineRig { $0.messageLimit = 1_000 }
        guard case (.wait(let signal), _) = rig.machine.nextMessage() else { return #expect(Bool(false)) }
        rig.receive(frame)
        #expect(signal.value != nil)
        #expect(rig.read() == .failure(kind))
        #expect(!rig.hasEnded)
        #expect(rig.write() == [.close(WebSocketClose(code: code))])
        #expect(rig.hasEnded)
        #expect(rig.machine.close?.code == code)
    }

    @Test(arguments: [WebSocketFrame.Role.client, .server])
    func `after a fault the connection stays open, so that the close frame is not destroyed`(
        role: WebSocketFrame.Role
    ) {
        let rig = MachineRig(role)
        rig.receive(RawFrame(opcode: 3))
        rig.write()
        rig.receive(.text("late"), .close(1000))
        #expect(!rig.isChannelClosed)
        #expect(rig.timerStarts == 1)
        #expect(rig.read() == .failure(.protocolViolation))
    }

    @Test func `messages before a fault are delivered, and nothing after it is read`() {
        let rig = MachineRig()
        rig.receive(.text("a"), RawFrame(opcode: 3), .text("b"))
        rig.receive(.text("c"), .close(1000))
        #expect([rig.read(), rig.read()] == [.message(.text("a")), .failure(.protocolViolation)])
        #expect(rig.machine.close?.code == 1002)
    }

    @Test func `bytes after the last frame that is read are not stored`() {
        for last in [RawFrame(opcode: 3), .close(1000)] {
            let rig = MachineRig()
            rig.receive(last)
            for _ in 0..<10 { rig.receive(.binary(.init(repeating: 1, count: 1_000))) }
            var text = ""
            dump(rig.machine, to: &text)
            #expect(text.count < 20_000)
        }
    }

    @Test func `a fault while this end closes ends the connection at once`() {
        let rig = MachineRig()
        rig.close()
        rig.receive(RawFrame(opcode: 3))
        #expect(rig.isChannelClosed)
        #expect(rig.read() == .failure(.protocolViolation))
    }

    @Test func `calls that wait at a fault fail with its error`() throws {
        let rig = MachineRig()
        let receipt = try rig.ping()
        rig.write()
        rig.receive(RawFrame(opcode: 3))
        rig.write()
        #expect(receipt.outcome == .failure(.protocolViolation))
    }

    @Test
    func `a fault stays the reason of the end when the connection is abandoned before its close frame is written`() {
        let rig = MachineRig()
        rig.receive(RawFrame(opcode: 3))
        rig.perform(rig.machine.abandon(.cancelled(nil)))
        #expect(rig.read() == .failure(.protocolViolation))
    }

    @Test func `a connection that is abandoned while it closes sends what waits, up to its close frame`() throws {
        for close in [{ $0.close(1000) }, { $0.receive(RawFrame(opcode: 3)) }] as [(MachineRig) -> Void] {
            let rig = MachineRig()
            let receipt = try rig.send("a")
            close(rig)
            rig.perform(rig.machine.abandon(.cancelled(nil)))
            #expect(receipt.outcome != nil && rig.hasEnded && !rig.isChannelClosed && rig.timerStarts == 1)
            let frames = rig.write()
            #expect(frames.count == 2 && frames.first == .message(.text("a")))
            guard case .close? = frames.last else { return #expect(Bool(false)) }
            guard case .end = rig.machine.nextFrames(upTo: 1) else { return #expect(Bool(false)) }
        }
    }

    // MARK: After the end

    @Test func `a message after a close is refused as invalid`() {
        let rig = MachineRig()
        rig.close()
        for _ in 0..<2 {
            let error = #expect(throws: NetworkError.self) { try rig.send("a") }
            #expect(error?.kind == .invalidRequest)
            rig.write()
            rig.receive(.close(1000))
        }
    }

    @Test func `a call after a fault fails with its error, before the end and after it`() {
        let rig = MachineRig()
        rig.receive(RawFrame(opcode: 3))
        for _ in 0..<2 {
            for call in [{ try rig.send("a") }, { try rig.ping() }] {
                let error = #expect(throws: NetworkError.self) { _ = try call() }
                #expect(error?.kind == .protocolViolation)
            }
            rig.write()
        }
    }

    @Test func `a call after an end that is a failure fails with its error`() {
        for (kind, end) in [
            (.connection, { $0.receive(.close(1011)) }),
            (.tls, { $0.perform($0.machine.lost(NetworkError(.tls, reason: ""))) }),
            (.cancelled, { $0.perform($0.machine.abandon(.cancelled(nil))) }),
        ] as [(NetworkErrorKind, (MachineRig) -> Void)] {
            let rig = MachineRig()
            end(rig)
            rig.write()
            let error = #expect(throws: NetworkError.self) { try rig.send("a") }
            #expect(error?.kind == kind)
        }
    }

    @Test func `calls that wait at a normal end fail as invalid`() throws {
        let rig = MachineRig()
        let ping = try rig.ping()
        rig.write()
        rig.receive(.close(1000))
        rig.write()
        #expect(ping.outcome == .failure(.invalidRequest))
    }

    @Test func `an abandoned connection fails every call with the given error`() throws {
        let rig = MachineRig()
        let receipts = [try rig.send("a"), try rig.ping()]
        rig.perform(rig.machine.abandon(.cancelled(nil)))
        #expect(rig.isChannelClosed)
        #expect(receipts.map(\.outcome) == [.failure(.cancelled), .failure(.cancelled)])
        #expect(rig.read() == .failure(.cancelled))
        #expect(rig.take() == nil)
    }

    @Test func `a message that the other end does not take fails when a closing connection is abandoned`() throws {
        let rig = MachineRig()
        let receipt = try rig.send("a")
        let frame = try #require(rig.take())
        rig.close()
        rig.perform(rig.machine.abandon(.cancelled(nil)))
        #expect(receipt.outcome == .failure(.cancelled))
        rig.finishWriting(frame)
        #expect(rig.write().count == 1)
    }

    @Test func `the result of an ended connection never changes`() throws {
        let rig = MachineRig()
        rig.receive(.close(1000))
        let frame = try #require(rig.take())
        rig.perform(rig.machine.abandon(.cancelled(nil)))
        rig.finishWriting(frame)
        rig.perform(rig.machine.lost(nil))
        rig.receive(.text("late"))
        rig.close()
        #expect(rig.read() == .failure(.cancelled))
    }
}
