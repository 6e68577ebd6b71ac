import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

/// The frames waiting to be written.
@Suite(.timeLimit(.minutes(10))) struct WebSocketSendingTests {
    private typealias Receipt = WebSocketStateMachine.Receipt

    private var machine = WebSocketStateMachine(role: .client, options: WebSocketOptions())

    /// The next frame to write; `nil` if there is none.
    private mutating func take() -> OutgoingFrame? {
        if case .frames(let frames) = machine.nextFrames(upTo: 1) { frames.first } else { nil }
    }

    @Test mutating func `a canceled send leaves no frame behind, unless the frame is being written`() throws {
        let (writing, waiting, other) = (Receipt(), Receipt(), Receipt())
        for receipt in [writing, waiting, other] { _ = try machine.send(.text("a"), receipt) }
        let frame = try #require(take())
        machine.forget(writing)
        machine.forget(waiting)
        machine.wrote([frame]).run()
        #expect(writing.value != nil)
        #expect(take()?.receipt?.identity == other.identity)
        #expect(take() == nil)
    }

    @Test func `messages that wait have a limit, and one message may always wait`() throws {
        var options = WebSocketOptions()
        options.sendBufferLimit = 10
        var machine = WebSocketStateMachine(role: .client, options: options)
        _ = try machine.send(.text("more than ten bytes"), Receipt())
        let refusal = #expect(throws: NetworkError.self) { _ = try machine.send(.text("a"), Receipt()) }
        #expect(refusal?.kind == .limit)
        guard case .frames = machine.nextFrames(upTo: 1) else { return #expect(Bool(false)) }
        let second = Receipt()
        for receipt in [Receipt(), second] { _ = try machine.send(.text("12345"), receipt) }
        #expect(throws: NetworkError.self) { _ = try machine.send(.text("a"), Receipt()) }
        machine.forget(second)
        _ = try machine.send(.data(Data([1])), Receipt())
    }

    @Test mutating func `messages that wait leave in one piece, up to its size`() throws {
        for number in 0..<20 { _ = try machine.send(.text("\(number % 10)"), Receipt()) }
        guard case .frames(let first) = machine.nextFrames(upTo: 10 * 15) else { return #expect(Bool(false)) }
        // Nothing is taken while a chunk is being written.
        guard case .wait = machine.nextFrames(upTo: 1_000) else { return #expect(Bool(false)) }
        machine.wrote(first).run()
        guard case .frames(let second) = machine.nextFrames(upTo: 1_000) else { return #expect(Bool(false)) }
        machine.wrote(second).run()
        #expect(first.count == 10 && second.count == 10)
        #expect((first + second).allSatisfy { $0.receipt?.value != nil })
    }

    @Test mutating func `a large message leaves alone, so that others neither wait for it nor fail with it`() throws {
        let receipts = (0..<3).map { _ in Receipt() }
        for (text, receipt) in zip(["a", String(repeating: "b", count: 1_000), "c"], receipts) {
            _ = try machine.send(.text(text), receipt)
        }
        for number in 0..<3 {
            guard case .frames(let frames) = machine.nextFrames(upTo: 100) else { return #expect(Bool(false)) }
            #expect(frames.compactMap(\.receipt?.identity) == [receipts[number].identity])
            machine.wrote(frames).run()
            #expect(receipts[number].value != nil)
        }
    }

    @Test mutating func `a canceled ping is not waited for`() throws {
        let receipt = Receipt()
        _ = try machine.ping(receipt)
        machine.forget(receipt)
        machine.abandon(nil).run()
        #expect(receipt.value == nil)
    }

    @Test mutating func `the pieces of a large frame are a sign of life, so that no ping ends the connection`() {
        for _ in 0..<5 {
            #expect(machine.intervalPassed()?.closesChannel == false)
            machine.wrotePiece()
        }
        #expect(machine.end.value == nil)
        // If no other chunk is written, a ping is sent, and the connection is considered lost.
        for _ in 0..<3 { machine.intervalPassed()?.run() }
        #expect(machine.end.value != nil)
    }

    @Test mutating func `a sender that writes at once lets a ping after silence pass`() throws {
        let isFirstAtOnce = try machine.mayWriteAtOnce()
        machine.intervalPassed()?.run()
        guard case .wait(let signal) = machine.nextFrames(upTo: 1) else { return #expect(Bool(false)) }
        machine.wroteAtOnce().run()
        let isNextAtOnce = try machine.mayWriteAtOnce()
        #expect(isFirstAtOnce && !isNextAtOnce && signal.value != nil)
        let ping = try #require(take())
        machine.wrote([ping]).run()
        let isLastAtOnce = try machine.mayWriteAtOnce()
        #expect(isLastAtOnce)
    }

    @Test mutating func `a frame that fails after the end has the reason of the end`() {
        let loss = NetworkError(kind: .cancelled)
        #expect(machine.reason(ofFailedWrite: loss).kind == .cancelled)
        _ = machine.abandon(NetworkError(kind: .timeout))
        #expect(machine.reason(ofFailedWrite: loss).kind == .timeout)
    }
}
