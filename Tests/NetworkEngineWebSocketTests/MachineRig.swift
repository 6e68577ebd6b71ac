import Foundation

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

/// One end's rules, driven by a test instead of a connection.
final class MachineRig {
    enum Reading: Equatable {
        case message(WebSocketMessage)
        case end
        case failure(NetworkErrorKind)
        case wait
    }

    var machine: WebSocketStateMachine
    let role: WebSocketFrame.Role
    var hasEnded: Bool { machine.end.value != nil }
    private(set) var isChannelClosed = false
    private(set) var timerStarts = 0
    /// The written frames, as the other end reads them.
    private(set) var written: [WebSocketReader.Event] = []
    private var other: WebSocketReader
    private var reader: WebSocketReader

    init(_ role: WebSocketFrame.Role = .client, _ change: (inout WebSocketOptions) -> Void = { _ in }) {
        var options = WebSocketOptions()
        change(&options)
        self.role = role
        machine = WebSocketStateMachine(role: role, options: options)
        reader = WebSocketReader(at: role, limit: options.messageLimit)
        other = WebSocketReader(at: role == .client ? .server : .client, limit: .max)
    }

    func perform(_ effects: WebSocketStateMachine.Effects) {
        effects.run()
        if effects.closesChannel { isChannelClosed = true }
        if effects.startsCloseTimer { timerStarts += 1 }
    }

    /// Receives frames from the other end in one chunk.
    func receive(_ frames: RawFrame...) {
        receive(frames.map { $0.received(at: role) }.bytes)
    }

    func receive(_ bytes: [UInt8]) {
        guard machine.arrived() else { return }
        let (events, fault) = reader.events(in: bytes)
        perform(machine.received(events, fault))
    }

    func close(_ code: UInt16 = 1000, _ reason: String = "") {
        perform(machine.close(with: WebSocketClose(sending: code, reason: reason)))
    }

    /// Takes a frame for writing.
    func take() -> OutgoingFrame? {
        if case .frames(let frames) = machine.nextFrames(upTo: 1) { frames.first } else { nil }
    }

    func finishWriting(_ frame: OutgoingFrame) {
        var bytes: [UInt8] = []
        frame.add(to: &bytes)
        other.add(bytes)
        var readout = Readout()
        readout.add(from: &other)
        written += readout.events
        perform(machine.wrote([frame]))
    }

    /// Fails to write a frame, or one without a receipt.
    func failWriting(_ frame: OutgoingFrame? = nil, kind: NetworkErrorKind = .tls) {
        let error = NetworkError(kind: kind)
        frame?.receipt?.settle(.failure(error))
        perform(machine.writeFailed(error))
    }

    /// Writes all queued frames, and returns them as the other end reads them.
    @discardableResult
    func write() -> [WebSocketReader.Event] {
        let start = written.count
        while let frame = take() { finishWriting(frame) }
        return Array(written[start...])
    }

    func read() -> Reading {
        let (reading, effects) = machine.nextMessage()
        perform(effects)
        return switch reading {
        case .message(let message): .message(message)
        case .end: .end
        case .failure(let error): .failure(error.kind)
        case .wait: .wait
        }
    }

    /// Returns whether intervals still matter.
    @discardableResult
    func passInterval() -> Bool {
        guard let effects = machine.intervalPassed() else { return false }
        perform(effects)
        return true
    }

    /// Sends a text and returns its receipt; `nil` if it's rejected.
    @discardableResult
    func send(_ text: String) throws -> WebSocketStateMachine.Receipt {
        let receipt = WebSocketStateMachine.Receipt()
        perform(try machine.send(.text(text), receipt))
        return receipt
    }

    @discardableResult
    func ping() throws -> WebSocketStateMachine.Receipt {
        let receipt = WebSocketStateMachine.Receipt()
        perform(try machine.ping(receipt))
        return receipt
    }
}

extension WebSocketStateMachine.Receipt {
    enum Outcome: Equatable {
        case success
        case failure(NetworkErrorKind)
    }

    /// The result, if there is one.
    var outcome: Outcome? {
        switch value {
        case nil: nil
        case .success: .success
        case .failure(let error): .failure(error.kind)
        }
    }
}
