import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

/// The rules for a connection that can still be read, but not written.
@Suite(.timeLimit(.minutes(5))) struct WebSocketWriteFailureTests {
    @Test func `a failed write fails the calls that wait with its error`() throws {
        let rig = MachineRig()
        let ping = try rig.ping()
        rig.write()
        let receipts = [try rig.send("a"), try rig.send("b"), try rig.ping(), ping]
        rig.failWriting(rig.take())
        #expect(receipts.map(\.outcome) == Array(repeating: .failure(.tls), count: 4))
        #expect(!rig.hasEnded)
    }

    @Test func `calls after a failed write fail with its error, also after a normal end`() {
        let rig = MachineRig()
        rig.failWriting()
        for _ in 0..<2 {
            for call in [{ try rig.send("a") }, { try rig.ping() }] {
                let error = #expect(throws: NetworkError.self) { _ = try call() }
                #expect(error?.kind == .tls)
            }
            rig.receive(.close(1000))
        }
        #expect(rig.read() == .end)
    }

    @Test func `nothing is written after a failed write`() throws {
        let rig = MachineRig()
        try rig.send("a")
        rig.receive(.ping())
        rig.failWriting(rig.take())
        rig.receive(.ping([1]))
        rig.close()
        #expect(!rig.passInterval())
        #expect(rig.take() == nil)
        rig.receive(.close(1000))
        #expect(rig.take() == nil)
    }

    @Test func `messages that arrive before and after a failed write are read`() {
        let rig = MachineRig()
        rig.receive(.text("a"))
        rig.failWriting()
        rig.receive(.text("b"))
        #expect([rig.read(), rig.read(), rig.read()] == [.message(.text("a")), .message(.text("b")), .wait])
    }

    @Test(arguments: [WebSocketFrame.Role.client, .server])
    func `the other end's close frame after a failed write is the reason of the end`(role: WebSocketFrame.Role) {
        let rig = MachineRig(role)
        rig.failWriting()
        rig.receive(.text("a"), .close(1008))
        #expect([rig.read(), rig.read()] == [.message(.text("a")), .failure(.connection)])
        #expect(rig.machine.close?.code == 1008)
        #expect(rig.isChannelClosed)
    }

    @Test func `a connection that ends without a close frame after a failed write fails with the write's error`() {
        for error in [nil, NetworkError(.lostMidBody, reason: "")] {
            let rig = MachineRig()
            rig.receive(.text("a"))
            rig.failWriting()
            rig.perform(rig.machine.lost(error))
            #expect([rig.read(), rig.read()] == [.message(.text("a")), .failure(.tls)])
            #expect(rig.isChannelClosed)
        }
    }

    @Test func `a failed write starts the close timer, once`() {
        let rig = MachineRig()
        rig.failWriting()
        rig.failWriting(kind: .connection)
        rig.close()
        #expect(rig.timerStarts == 1)
    }

    @Test func `a failed write does not hide the other end's close frame behind a full buffer`() {
        let rig = MachineRig { $0.bufferLimit = 1 }
        rig.receive(.text("a"))
        let signal = rig.machine.roomSignal()
        rig.failWriting()
        #expect(signal?.value != nil && rig.machine.roomSignal() == nil)
    }

    @Test func `a normal close does not hide that messages were dropped after a failed write`() {
        let rig = MachineRig { $0.bufferLimit = 1 }
        rig.receive(.text("a"))
        rig.failWriting()
        rig.receive(.text("does not fit"), .close(1000))
        #expect([rig.read(), rig.read()] == [.message(.text("a")), .failure(.tls)])
    }

    @Test func `a fault after a failed write ends the connection`() {
        let rig = MachineRig()
        rig.failWriting()
        rig.receive(RawFrame(opcode: 3))
        #expect(rig.isChannelClosed)
        #expect(rig.read() == .failure(.protocolViolation))
    }

    @Test func `abandoning after a failed write ends the connection at once`() {
        let rig = MachineRig()
        rig.failWriting()
        rig.perform(rig.machine.abandon(.cancelled(nil)))
        #expect(rig.isChannelClosed)
        #expect(rig.read() == .failure(.cancelled))
    }

    // MARK: While the connection closes

    @Test func `a close frame of this end that cannot be written ends the connection`() {
        let rig = MachineRig()
        rig.close()
        rig.failWriting(rig.take())
        #expect(rig.isChannelClosed)
        #expect(rig.read() == .end)
    }

    @Test func `an answer that cannot be written leaves the other end's code the reason`() {
        let rig = MachineRig()
        rig.receive(.close(1011))
        rig.failWriting(rig.take())
        #expect(rig.isChannelClosed)
        #expect(rig.read() == .failure(.connection))
    }

    @Test func `a fault that cannot be reported stays the reason`() {
        let rig = MachineRig()
        rig.receive(RawFrame(opcode: 3))
        rig.failWriting(rig.take())
        #expect(rig.isChannelClosed)
        #expect(rig.read() == .failure(.protocolViolation))
    }
}
