import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

/// Calls, frames of the other end, writes and losses in random order.
@Suite(.timeLimit(.minutes(5))) struct WebSocketStateMachineFuzzTests {
    private typealias Machine = WebSocketStateMachine

    private struct World {
        var machine: Machine
        var random: SeededGenerator
        /// The calls that were accepted.
        var calls: [Machine.Receipt] = []
        var inFlight: Machine.Outgoing?
        var hasWrittenClose = false
        var hasClosed = false
        var isChannelClosed = false
        var timerStarts = 0
        /// The messages that arrived while the connection was open, and those that arrived later.
        var arrived: [WebSocketMessage] = []
        var late: [WebSocketMessage] = []
        var read: [WebSocketMessage] = []
        var result: MachineRig.Reading?
        /// What tasks wait for, and whether they still have to.
        var signals: [(Machine.Signal, (Machine) -> Bool)] = []
        var complaint: String?

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            var options = WebSocketOptions()
            options.messageLimit = 200
            options.bufferLimit = .random(in: 0...500, using: &random)
            machine = Machine(role: .client, options: options)
        }

        var isOpen: Bool { timerStarts == 0 && !isChannelClosed }

        mutating func perform(_ effects: Machine.Effects) {
            for signal in effects.signals { signal.settle(()) }
            for (receipt, result) in effects.receipts { settle(receipt, result) }
            if effects.closesChannel { isChannelClosed = true }
            if effects.startsCloseTimer { timerStarts += 1 }
            if timerStarts > 1 { complaint = "two timers for one close" }
            if isChannelClosed != (machine.end.value != nil) { complaint = "the channel and the end differ" }
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
                    perform(try machine.send(WebSocketFrame.bytes(.text("a"), from: .client), receipt))
                }
                if !isOpen { complaint = "a call after the end was accepted" }
                calls.append(receipt)
            } catch {
                if isOpen { complaint = "an open connection refused a call" }
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
            let events = Readout.of([frames.bytes], limit: 200).events
            let before = events.prefix { if case .close = $0 { false } else { true } }
            let messages = before.compactMap { if case .message(let message) = $0 { message } else { nil } }
            if isOpen { arrived += messages } else { late += messages }
            perform(machine.received(frames.bytes))
        }

        mutating func beginWriting() {
            guard inFlight == nil else { return }
            switch machine.nextFrame() {
            case .end: if !isChannelClosed { complaint = "writing ended before the connection" }
            case .wait(let signal):
                signals.append((signal, { if case .wait = $0.peekFrame() { true } else { false } }))
            case .frame(let frame):
                if hasWrittenClose { complaint = "a frame followed the close frame" }
                if isChannelClosed { complaint = "a frame was written after the end" }
                if frame.isClose { hasWrittenClose = true }
                inFlight = frame
            }
        }

        mutating func endWriting() {
            guard let frame = inFlight.take() else { return }
            if Int.random(in: 0..<8, using: &random) > 0 { return perform(machine.wrote(frame)) }
            let error = NetworkError(.lostMidBody, reason: "")
            if let receipt = frame.receipt { settle(receipt, .failure(error)) }
            perform(machine.lost(error))
        }

        mutating func readNext() {
            let (reading, effects) = machine.nextMessage()
            perform(effects)
            switch reading {
            case .message(let message):
                if result != nil { complaint = "a message followed the end" }
                read.append(message)
            case .end: ended(.end)
            case .failure(let error): ended(.failure(error.kind))
            case .wait(let signal):
                if isChannelClosed { complaint = "a reader waits after the end" }
                signals.append((signal, { if case .wait = $0.peekMessage() { true } else { false } }))
            }
        }

        mutating func ended(_ reading: MachineRig.Reading) {
            if let result, result != reading { complaint = "\(result) became \(reading)" }
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
            case 90..<94: if let effects = machine.intervalPassed() { perform(effects) }
            case 94..<96:
                if isOpen { hasClosed = true }
                perform(machine.close(with: WebSocketClose(code: 1000)))
            case 96: perform(machine.lost(nil))
            case 97: perform(machine.abandon(.cancelled(nil)))
            default: break
            }
            checkSignals()
        }

        /// A waiting task is signaled as soon as it can continue.
        mutating func checkSignals() {
            signals.removeAll { $0.0.value != nil }
            if signals.contains(where: { !$0.1(machine) }) { complaint = "a task was not told that it can go on" }
        }

        mutating func finish() {
            perform(machine.abandon(.cancelled(nil)))
            checkSignals()
            endWriting()
            while result == nil, complaint == nil { readNext() }
            if !signals.isEmpty { complaint = "a task waits after the end" }
            if calls.contains(where: { $0.value == nil }) { complaint = "a call has not ended" }
            checkMessages()
        }

        /// Only a close of this end drops messages, and only those that arrive after it.
        mutating func checkMessages() {
            if !read.starts(with: arrived) { complaint = "a message before the end was lost" }
            if !hasClosed, read.count > arrived.count { complaint = "a message after the end was read" }
            var rest = late[...]
            for message in read.dropFirst(arrived.count) {
                guard let index = rest.firstIndex(of: message) else { return complaint = "a message was invented" }
                rest = rest[(index + 1)...]
            }
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
    // Asking changes the machine. A copy can be asked any time.

    fileprivate func peekFrame() -> Writing {
        var copy = self
        return copy.nextFrame()
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
