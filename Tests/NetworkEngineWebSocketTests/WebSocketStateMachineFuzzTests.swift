import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// Calls, frames from the other end, writes and losses in random order.
@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct WebSocketStateMachineFuzzTests {
    private typealias Machine = WebSocketStateMachine

    private struct World {
        let role: WebSocketFrame.Role
        let bufferLimit: Int
        var machine: Machine
        var random: SeededGenerator
        /// The calls that were accepted.
        var calls: [Machine.Receipt] = []
        var inFlight: OutgoingFrame?
        var hasTakenClose = false
        var hasWrittenClose = false
        /// Whether this end has started to close.
        var hasClosed = false
        var hasWriteFailed = false
        /// The payloads of the pings to answer.
        var pings: [[UInt8]] = []
        /// Whether the connection was abandoned while it was closing, so that it sends what is queued.
        var isLeaving = false
        /// The other end's close code, and the fault that was read.
        var code: UInt16?
        var fault: NetworkErrorKind?
        var timerStarts = 0
        /// Whether there has been no sign since the last interval that the connection is alive.
        var isQuiet = true
        /// Whether a ping after silence is queued.
        var isPingDue = false
        /// Whether such a ping was taken for writing, and nothing has arrived since.
        var isPingTaken = false
        /// The messages to read, in total and so far.
        var expected: [WebSocketMessage] = []
        var read: [WebSocketMessage] = []
        var hasDropped = false
        /// The result that was read, and the one to read.
        var result: MachineRig.Reading?
        var expectedResult: MachineRig.Reading?
        /// The events that tasks wait for, and whether they must still wait.
        var signals: [(Machine.Signal, (Machine) -> Bool)] = []
        var complaint: String?

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            role = Bool.random(using: &random) ? .client : .server
            bufferLimit = .random(in: 0...500, using: &random)
            var options = WebSocketOptions()
            options.messageLimit = 200
            options.bufferLimit = bufferLimit
            machine = Machine(role: role, options: options)
        }

        var hasEnded: Bool { expectedResult != nil }
        var isOpen: Bool { timerStarts == 0 && !hasEnded }
        /// The number of bytes waiting for a reader.
        var stored: Int { expected[read.count...].reduce(0) { $0 + $1.size } }
        var hasRoom: Bool { stored < max(1, bufferLimit) }

        // MARK: The expected results

        var closed: MachineRig.Reading {
            if let code, ![1000, 1001].contains(code), !hasClosed { return .failure(.connection) }
            return hasWriteFailed && hasDropped ? .failure(.tls) : .end
        }

        func lost(_ kind: NetworkErrorKind) -> MachineRig.Reading {
            if let fault { return .failure(fault) }
            if code != nil { return closed }
            if hasWriteFailed { return .failure(.tls) }
            return hasClosed ? .end : .failure(kind)
        }

        var refusal: NetworkErrorKind {
            if case .failure(let kind) = expectedResult { return kind }
            if let fault { return fault }
            if hasWriteFailed { return .tls }
            return if case .failure(let kind) = closed { kind } else { .invalidRequest }
        }

        // MARK: Events

        /// - Parameters:
        ///   - result: the result, if the event may end the connection.
        ///   - lingers: whether the connection is still read afterwards.
        mutating func perform(_ effects: Machine.Effects, result: MachineRig.Reading? = nil, lingers: Bool = false) {
            for signal in effects.signals { signal.settle(()) }
            for (receipt, result) in effects.receipts { settle(receipt, result) }
            if effects.startsCloseTimer { timerStarts += 1 }
            if timerStarts > 1 { complaint = "two timers for one close" }
            let ends = !hasEnded && machine.end.value != nil
            if effects.closesChannel != (ends && !lingers) { complaint = "the channel was closed too early or late" }
            guard ends else { return }
            if result == nil { complaint = "the connection ended without a reason" }
            expectedResult = result
            if lingers, timerStarts == 0 { complaint = "nothing ends a connection that is read after its end" }
        }

        mutating func settle(_ receipt: Machine.Receipt, _ result: Result<Void, NetworkError>) {
            if !receipt.settle(result) { complaint = "a call ended twice" }
        }

        mutating func call() {
            let receipt = Machine.Receipt()
            do throws(NetworkError) {
                if Bool.random(using: &random) {
                    perform(try machine.ping(receipt))
                } else {
                    perform(try machine.send(.text("a"), receipt))
                }
                if !isOpen { complaint = "a call after the end was accepted" }
                calls.append(receipt)
            } catch {
                if isOpen { complaint = "an open connection refused a call" }
                if error.kind != refusal { complaint = "a call failed as \(error.kind), not as \(refusal)" }
            }
        }

        mutating func receive() {
            var frames: [RawFrame] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<40, using: &random) {
                case 0..<20: frames.append(.text("\(Int.random(in: 0...9_999, using: &random))"))
                case 20..<26: frames.append(.ping(.random(2, using: &random)))
                case 26..<34: frames.append(.pong([UInt8.random(in: 0...5, using: &random), 0, 0, 0]))
                case 34: frames.append(.close([1000, 1001, 1011].randomElement(using: &random)))
                case 35: frames.append(.close())
                case 36: frames.append(RawFrame(opcode: 3))
                case 37: frames.append(RawFrame(opcode: 2, length: 201))
                default: frames.append(.binary(.random(200, using: &random)))
                }
            }
            let bytes = frames.map { $0.received(at: role) }.bytes
            let couldClose = hasWrittenClose && code == nil
            if !hasEnded, code == nil, fault == nil { expect(Readout.of([bytes], at: role, limit: 200)) }
            let lingers = fault == nil && couldClose && role == .client
            var reader = WebSocketReader(at: role, limit: 200)
            (isQuiet, isPingDue, isPingTaken) = (false, false, false)
            let (events, ending) = machine.arrived() ? reader.events(in: bytes) : ([], nil)
            perform(machine.received(events, ending), result: fault.map { .failure($0) } ?? closed, lingers: lingers)
        }

        /// Records the effects of frames that were read.
        mutating func expect(_ readout: Readout) {
            for event in readout.events where code == nil {
                switch event {
                case .message(let message):
                    if !isOpen, !hasRoom { hasDropped = true }
                    if !hasDropped { expected.append(message) }
                case .ping(let payload): pings.append(payload)
                case .pong: break
                case .close(let close): code = close?.code ?? 1000
                }
            }
            if code == nil { fault = readout.code.map { $0 == 1009 ? .limit : .protocolViolation } }
        }

        mutating func beginWriting() {
            guard inFlight == nil else { return }
            switch machine.nextFrames(upTo: 1) {
            case .end: if !hasEnded { complaint = "writing ended before the connection" }
            case .wait(let signal):
                if !pings.isEmpty, !hasWriteFailed { complaint = "a ping was not answered" }
                if isPingDue, isOpen { complaint = "no ping followed the silence" }
                signals.append((signal, { if case .wait = $0.peekFrame() { true } else { false } }))
            case .rest: complaint = "no sender has begun to write"
            case .frames(let frames):
                guard let frame = frames.first, frames.count == 1 else { return complaint = "one frame was asked for" }
                var bytes: [UInt8] = []
                frame.add(to: &bytes)
                let isPong = bytes[0] & 0x0F == 10
                if hasTakenClose, !isPong { complaint = "a frame followed the close frame" }
                if hasEnded && !isLeaving || hasWriteFailed { complaint = "a frame was written after the end" }
                let events = Readout.of([bytes], at: role == .client ? .server : .client).events
                if !pings.isEmpty, !hasEnded {
                    if events != [.pong(pings.removeFirst())] { complaint = "a ping was answered late" }
                } else if isPingDue, isOpen {
                    if events != [.ping([])] { complaint = "a frame passed the ping after silence" }
                    (isPingDue, isPingTaken) = (false, true)
                }
                if frame.isClose { hasTakenClose = true }
                inFlight = frame
            }
        }

        mutating func endWriting() {
            guard let frame = inFlight.take() else { return }
            if Int.random(in: 0..<8, using: &random) == 0 { return failWriting(frame) }
            if frame.isClose { hasWrittenClose = true }
            if isPingDue { isQuiet = false }
            let lingers = fault != nil || role == .client
            perform(machine.wrote([frame]), result: fault.map { .failure($0) } ?? closed, lingers: lingers)
        }

        mutating func failWriting(_ frame: OutgoingFrame) {
            let error = NetworkError(.tls, reason: "")
            // A closing connection has notified the call before it ends.
            if let receipt = frame.receipt, receipt.value == nil { settle(receipt, .failure(error)) }
            if isOpen { hasWriteFailed = true }
            perform(machine.writeFailed(error), result: lost(.tls))
            if calls.contains(where: { $0.value == nil }) { complaint = "a call waits after a failed write" }
        }

        mutating func readNext() {
            let (reading, effects) = machine.nextMessage()
            perform(effects)
            switch reading {
            case .message(let message):
                if result != nil { complaint = "a message followed the end" }
                read.append(message)
                if !expected.starts(with: read) { complaint = "a message was lost, moved or invented" }
            case .end: ended(.end)
            case .failure(let error): ended(.failure(error.kind))
            case .wait(let signal):
                if hasEnded { complaint = "a reader waits after the end" }
                signals.append((signal, { if case .wait = $0.peekMessage() { true } else { false } }))
            }
        }

        mutating func ended(_ reading: MachineRig.Reading) {
            if read != expected { complaint = "the end came before a message" }
            if let result, result != reading { complaint = "\(result) became \(reading)" }
            let expectedResult = expectedResult ?? fault.map { .failure($0) }
            if reading != expectedResult { complaint = "\(reading) in place of \(String(describing: expectedResult))" }
            result = reading
        }

        mutating func step() {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<15: call()
            case 15..<40: receive()
            case 40..<55: beginWriting()
            case 55..<70: endWriting()
            case 70..<85: readNext()
            case 85..<90:
                if let room = machine.roomSignal() { signals.append((room, { $0.peekRoom() != nil })) }
            case 90..<94: passInterval()
            case 94..<96:
                if isOpen { hasClosed = true }
                perform(machine.close(with: WebSocketClose(code: 1000)))
            case 96: perform(machine.lost(nil), result: lost(.connection))
            case 97: abandon()
            default: break
            }
            check()
        }

        mutating func passInterval() {
            let isSilent = isOpen && isQuiet && hasRoom
            let isLost = isSilent && (isPingDue || isPingTaken)
            if isSilent, !isLost { isPingDue = true }
            isQuiet = true
            if let effects = machine.intervalPassed() { perform(effects, result: isLost ? .failure(.timeout) : nil) }
            if isLost, !hasEnded { complaint = "silence did not end the connection" }
        }

        mutating func abandon() {
            isLeaving = isLeaving || !isOpen && !hasEnded
            let lingers = isLeaving && !hasWriteFailed
            perform(machine.abandon(.cancelled(nil)), result: .failure(fault ?? .cancelled), lingers: lingers)
        }

        mutating func check() {
            let isDone = (hasWrittenClose || hasWriteFailed) && (code != nil || fault != nil)
            if isDone, !hasEnded { complaint = "the connection did not end after its last frame" }
            // A waiting task is signaled as soon as it can continue.
            signals.removeAll { $0.0.value != nil }
            if signals.contains(where: { !$0.1(machine) }) { complaint = "a task was not told that it can go on" }
        }

        mutating func finish() {
            abandon()
            check()
            endWriting()
            while result == nil, complaint == nil { readNext() }
            if !signals.isEmpty { complaint = "a task waits after the end" }
            if calls.contains(where: { $0.value == nil }) { complaint = "a call has not ended" }
        }
    }

    @Test func `in any order of events each call ends once, each wait ends, and the end is final`() {
        for seed in Schedules.seeds.lowerBound..<Schedules.seeds.upperBound * 5 {
            var world = World(seed: seed)
            for _ in 0..<60 where world.complaint == nil { world.step() }
            if world.complaint == nil { world.finish() }
            if let complaint = world.complaint {
                Issue.record("seed \(seed): \(complaint)")
                return
            }
        }
    }
}

extension WebSocketStateMachine {
    // A query changes the machine. A copy can be queried at any time.

    fileprivate func peekFrame() -> Writing {
        var copy = self
        return copy.nextFrames(upTo: 1)
    }

    fileprivate func peekMessage() -> Reading {
        var copy = self
        return copy.nextMessage().0
    }

    fileprivate func peekRoom() -> Signal? {
        var copy = self
        return copy.roomSignal()
    }
}

extension WebSocketMessage {
    /// The number of bytes that count toward the buffer limit.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count + 64
        case .data(let data): data.count + 64
        }
    }
}
