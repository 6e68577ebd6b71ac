import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketClosingTests {
    // MARK: The handshake

    @Test func `a close of this end waits for the other end's frame`() {
        let rig = MachineRig()
        rig.close(4000, "why")
        #expect(rig.write() == [.close(WebSocketClose(code: 4000, reason: "why"))])
        #expect(!rig.hasEnded)
        rig.receive(.close(4000))
        #expect(rig.hasEnded)
        #expect(rig.read() == .end)
    }

    @Test(arguments: [WebSocketFrame.Role.client, .server])
    func `after both close frames the server closes the connection, and the client waits for it`(
        role: WebSocketFrame.Role
    ) {
        let (first, second) = (MachineRig(role), MachineRig(role))
        first.close()
        first.write()
        first.receive(.close(1000))
        second.receive(.close(1000))
        second.write()
        #expect(first.hasEnded && second.hasEnded)
        #expect([first.isChannelClosed, second.isChannelClosed] == [role == .server, role == .server])
    }

    @Test(arguments: [1000, 1001, 1008, 4403] as [UInt16])
    func `a call after the other end's close frame throws its code, unless it is normal`(code: UInt16) {
        let rig = MachineRig()
        rig.receive(.close(code))
        for _ in 0..<2 {
            for call in [{ try rig.send("a") }, { try rig.ping() }] {
                let error = #expect(throws: NetworkError.self) { _ = try call() }
                let close = error?.underlying as? WebSocketClose
                #expect(code < 1002 ? error?.kind == .invalidRequest : close?.code == code)
            }
            // The end of the connection changes nothing.
            rig.write()
        }
    }

    @Test func `what arrives between the end and the other end's closing changes nothing`() {
        let rig = MachineRig()
        rig.receive(.close(1000))
        rig.write()
        rig.receive(.text("late"), .ping(), RawFrame(opcode: 3))
        rig.perform(rig.machine.lost(NetworkError(.tls, reason: "")))
        #expect(rig.take() == nil)
        #expect(rig.read() == .end)
        #expect(rig.timerStarts == 1)
    }

    @Test func `a close of the other end is answered with its code, once`() {
        let rig = MachineRig()
        rig.receive(.close(1001, Array("bye".utf8)))
        #expect(!rig.hasEnded)
        #expect(rig.write() == [.close(WebSocketClose(code: 1001, reason: "bye"))])
        #expect(rig.hasEnded)
        #expect(rig.machine.close == WebSocketClose(code: 1001, reason: "bye"))
    }

    @Test func `a close frame without a code is answered with one without a code`() {
        let rig = MachineRig()
        rig.receive(.close())
        #expect(rig.write() == [.close(nil)])
        #expect(rig.machine.close?.code == 1005)
    }

    @Test func `two close frames that cross end the connection on both ends`() {
        let (client, server) = (MachineRig(.client), MachineRig(.server))
        client.close(4001)
        server.close(4002)
        client.write()
        server.write()
        client.receive(.close(4002))
        server.receive(.close(4001))
        for rig in [client, server] {
            #expect(rig.hasEnded && rig.written.count == 1)
            #expect(rig.read() == .end)
        }
        #expect([client.machine.close?.code, server.machine.close?.code] == [4002, 4001])
    }

    @Test func `the other end's close frame may arrive before this end's is written`() {
        let rig = MachineRig()
        rig.close(1000)
        rig.receive(.close(1000))
        #expect(!rig.hasEnded)
        #expect(rig.write() == [.close(WebSocketClose(code: 1000))])
        #expect(rig.hasEnded)
    }

    @Test func `only the first close sends a frame and starts the timer`() {
        let rig = MachineRig()
        rig.close(4000)
        rig.close(4001)
        rig.receive(.close(1000))
        #expect(rig.write() == [.close(WebSocketClose(code: 4000))])
        #expect(rig.timerStarts == 1)
    }

    @Test func `messages that wait are written before the close frame`() throws {
        let rig = MachineRig()
        let receipt = try rig.send("a")
        rig.close()
        #expect(rig.write() == [.message(.text("a")), .close(WebSocketClose(code: 1000))])
        #expect(receipt.outcome == .success)
    }

    @Test func `nothing but pongs follows a close frame`() throws {
        let rig = MachineRig()
        try rig.ping()
        rig.close()
        rig.write()
        #expect(throws: NetworkError.self) { try rig.send("a") }
        #expect(throws: NetworkError.self) { try rig.ping() }
        #expect(!rig.passInterval())
        #expect(rig.write() == [])
        rig.receive(.ping([1]))
        #expect(rig.write() == [.pong([1])])
    }

    @Test func `a writer that waits after its close frame is told of a ping`() {
        let rig = MachineRig()
        rig.close()
        rig.write()
        guard case .wait(let signal) = rig.machine.nextFrames(upTo: 1) else { return #expect(Bool(false)) }
        rig.receive(.ping())
        #expect(signal.value != nil)
    }

    @Test func `a ping before the other end's close frame is answered, and one after it is not`() {
        let rig = MachineRig()
        rig.receive(.ping([1]), .close(1000), .ping([2]))
        rig.receive(.ping([3]))
        #expect(rig.write() == [.pong([1]), .close(WebSocketClose(code: 1000))])
    }

    @Test func `a ping together with the last close frame is not answered`() {
        let rig = MachineRig()
        rig.close()
        rig.write()
        rig.receive(.ping(), .close(1000))
        #expect(rig.take() == nil)
    }

    // MARK: What the reader sees

    @Test(arguments: [nil, 1000, 1001] as [UInt16?])
    func `a normal close ends reading after the messages before it`(code: UInt16?) {
        let rig = MachineRig()
        rig.receive(.text("a"), .text("b"), .close(code))
        #expect([rig.read(), rig.read()] == [.message(.text("a")), .message(.text("b"))])
        #expect(rig.read() == .wait)
        rig.write()
        #expect([rig.read(), rig.read()] == [.end, .end])
    }

    @Test(arguments: [1002, 1003, 1007, 1008, 1009, 1011, 1012, 3000, 4000] as [UInt16])
    func `a close with another code fails reading after the messages before it`(code: UInt16) {
        let rig = MachineRig()
        rig.receive(.text("a"), .close(code))
        rig.write()
        #expect([rig.read(), rig.read()] == [.message(.text("a")), .failure(.connection)])
        #expect(rig.machine.close?.code == code)
    }

    @Test func `bytes after a close frame are not read`() {
        let rig = MachineRig()
        rig.receive(.close(1000), .text("late"), RawFrame(opcode: 3))
        rig.receive(.text("later"))
        rig.write()
        #expect(rig.read() == .end)
    }

    @Test func `messages that arrive while this end closes are delivered`() {
        let rig = MachineRig()
        rig.receive(.text("a"))
        rig.close()
        rig.receive(.text("b"), .close(1000))
        rig.write()
        #expect([rig.read(), rig.read(), rig.read()] == [.message(.text("a")), .message(.text("b")), .end])
    }

    @Test func `a connection that ends without a close frame fails reading after its messages`() {
        let rig = MachineRig()
        rig.receive(.text("a"))
        rig.perform(rig.machine.lost(nil))
        #expect([rig.read(), rig.read()] == [.message(.text("a")), .failure(.connection)])
        #expect(rig.machine.close == nil)
    }

    @Test func `the error of a lost connection is the error of its calls`() throws {
        let rig = MachineRig()
        let receipts = [try rig.send("a"), try rig.ping()]
        rig.perform(rig.machine.lost(NetworkError(.tls, reason: "")))
        #expect(receipts.map(\.outcome) == [.failure(.tls), .failure(.tls)])
        #expect(rig.read() == .failure(.tls))
    }

    @Test func `a connection that is lost while this end closes has ended`() {
        for error in [nil, NetworkError(.lostMidBody, reason: "")] {
            let rig = MachineRig()
            rig.close()
            rig.perform(rig.machine.lost(error))
            #expect(rig.read() == .end)
        }
    }

    @Test func `the other end's code counts although the connection is lost before the answer`() {
        let rig = MachineRig()
        rig.receive(.close(1011))
        rig.perform(rig.machine.lost(nil))
        #expect(rig.read() == .failure(.connection))
    }
}
