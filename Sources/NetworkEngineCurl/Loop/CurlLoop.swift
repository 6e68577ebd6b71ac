import CLibcurl
import NetworkEngine

/// The event loop of one transport. Made, used and freed on its thread, so that nothing in it needs a lock.
final class CurlLoop {
    private let system: OpaquePointer
    private let multi: OpaquePointer
    private let mailbox: CurlExchange.Mailbox
    private let base: CurlBase
    private var commands: [CurlExchange.Command] = []
    private var queue: AdmissionQueue
    private var waiting: [AdmissionQueue.Ticket: CurlExchange] = [:]
    /// Who has a place and is not on the wire yet.
    private var admitted: [(exchange: CurlExchange, ticket: AdmissionQueue.Ticket)] = []
    private var slots: [CurlSlot] = []
    private var idle: [Int] = []
    private var isShuttingDown = false
    /// Who has ended and does not know yet.
    private var ended: [(exchange: CurlExchange, ending: CurlEnding)] = []
    private var vigil = CurlVigil()
    /// The slots of those whose bodies come while they are sent.
    private var liveUploads: Set<Int> = []
    private var lastLook = ContinuousClock.now

    init?(_ configuration: CurlConfiguration, base: CurlBase, mailbox: CurlExchange.Mailbox) {
        guard let system = lc_loop_create() else { return nil }
        self.system = system
        multi = lc_loop_multi(system)
        self.mailbox = mailbox
        self.base = base
        queue = AdmissionQueue(perHost: configuration.requestsPerHost, total: configuration.requestsInAll)
        _ = lc_multi_set_number(multi, Int32(LC_MULTI_MAXCONNECTS), max(1, configuration.idleConnections))
    }

    /// Works until it is told to shut down.
    func run() {
        while true {
            carryOutCommands()
            if isShuttingDown { break }
            launchAdmitted()
            wakeEnded()
            let maySleep = !vigil.isOn(at: .now) && mailbox.fallAsleep(system)
            guard lc_loop_step(system, maySleep ? longestSleep : 0) == 0 else { break }
            finishEnded()
            lookAfterUploads()
        }
        end()
    }

    private var runningCount: Int { slots.count - idle.count }

    private func carryOutCommands() {
        mailbox.take(into: &commands)
        for command in commands {
            switch command {
            case .start(let exchange): start(exchange)
            case .stop(let exchange, let reason): stop(exchange, reason)
            case .goOn(let exchange): goOn(exchange, hasRoom: false)
            case .makeRoom(let exchange): goOn(exchange, hasRoom: true)
            case .shutDown: isShuttingDown = true
            }
        }
        commands.removeAll(keepingCapacity: true)
    }

    // MARK: Beginning

    private func start(_ exchange: CurlExchange) {
        vigil.began(at: exchange.handedOver)
        let (ticket, isAdmitted) = queue.enter(host: exchange.wire.origin, rank: exchange.context.rank)
        if isAdmitted { return admitted.append((exchange, ticket)) }
        if let reason = exchange.move(to: .queued(ticket)) {
            _ = queue.withdraw(ticket)
            return settle(exchange, CurlEnding(outcome: .broken(reason, during: .queue)))
        }
        waiting[ticket] = exchange
    }

    /// Puts on the wire who may go; where that fails, the next in the queue takes the place.
    private func launchAdmitted() {
        var next = 0
        while next < admitted.count {
            let (exchange, ticket) = admitted[next]
            next += 1
            launch(exchange, ticket)
        }
        admitted.removeAll(keepingCapacity: true)
    }

    private func launch(_ exchange: CurlExchange, _ ticket: AdmissionQueue.Ticket) {
        guard let slot = takeSlot() else {
            let ending = CurlEnding(outcome: .failed(code: 2, message: "", certificate: 0))
            return finish(exchange, ending, leaving: ticket)
        }
        if let reason = exchange.move(to: .running(slot: slot.number)) {
            idle.append(slot.number)
            return finish(exchange, CurlEnding(outcome: .broken(reason, during: .queue)), leaving: ticket)
        }
        exchange.context.admitted()
        if let fault = slot.begin(exchange, ticket) { return end(slot, .broken(fault, during: .connect)) }
        let code = lc_multi_add(multi, slot.easy)
        if code != 0 { return end(slot, .failed(code: 2, message: "", certificate: 0)) }
        if exchange.startUpload() { liveUploads.insert(slot.number) }
        if runningCount == 1 { vigil.sentAlone(at: .now) }
    }

    private func takeSlot() -> CurlSlot? {
        if let number = idle.popLast() { return slots[number] }
        guard let slot = makeSlot(slots.count) else { return nil }
        slots.append(slot)
        return slot
    }

    private func makeSlot(_ number: Int) -> CurlSlot? {
        guard let easy = lc_easy_create() else { return nil }
        let options = CurlOptions(easy, base: base, callbacks: .ofSlot, system: system)
        return CurlSlot(number: number, options: options, decodes: base.decodes)
    }

    /// Puts another slot in the place of one.
    private func renew(_ slot: CurlSlot) -> Bool {
        guard let new = makeSlot(slot.number) else { return false }
        slots[slot.number] = new
        return true
    }

    // MARK: Ending

    private func stop(_ exchange: CurlExchange, _ reason: CurlBreak) {
        switch exchange.place {
        case .nowhere:
            exchange.noteEarly(reason)
        case .queued(let ticket):
            _ = queue.withdraw(ticket)
            waiting[ticket] = nil
            settle(exchange, CurlEnding(outcome: .broken(reason, during: .queue)))
        case .running(let number):
            let slot = slots[number]
            // It may have ended and not heard of it yet.
            guard slot.exchange === exchange else { return }
            let phase = slot.phase
            slot.breakOff(reason)
            _ = lc_multi_remove(multi, slot.easy)
            end(slot, .broken(reason, during: phase))
        }
    }

    private func goOn(_ exchange: CurlExchange, hasRoom: Bool) {
        guard case .running(let number) = exchange.place, slots[number].exchange === exchange else { return }
        if hasRoom { slots[number].makeRoom() }
        goOn(slots[number])
    }

    private func goOn(_ slot: CurlSlot) {
        let code = lc_easy_pause(slot.easy, Int32(LC_PAUSE_NOTHING))
        // What has waited is handed over now, and may be wrong: libcurl only says so here. Between two connections there
        // is nothing to go on with.
        guard code != 0, slot.breakage != nil else { return }
        let outcome = slot.outcome(of: code)
        _ = lc_multi_remove(multi, slot.easy)
        end(slot, outcome)
    }

    // MARK: Bodies that come while they are sent

    /// In milliseconds.
    private var longestSleep: Int32 {
        let isAnswered = liveUploads.contains { slots[$0].isAnsweredEarly }
        return isAnswered ? 10 : 60_000
    }

    /// Sees to what libcurl does not see while there is nothing to send: that an answer makes the rest needless, and that
    /// the server has gone.
    private func lookAfterUploads() {
        guard !liveUploads.isEmpty else { return }
        while let easy = lc_loop_take_unheard(system) {
            guard let number = liveUploads.first(where: { slots[$0].easy == easy && slots[$0].awaitsBytes }) else {
                continue
            }
            let slot = slots[number]
            guard let outcome = slot.outcomeOfHangUp else { continue }
            _ = lc_multi_remove(multi, slot.easy)
            end(slot, outcome)
        }
        let now = ContinuousClock.now
        guard now - lastLook >= .milliseconds(10) else { return }
        lastLook = now
        for number in liveUploads where slots[number].isAnsweredEarly { goOn(slots[number]) }
    }

    /// Finishes what libcurl has come to an end with.
    private func finishEnded() {
        var code: Int32 = 0
        while let easy = lc_multi_ended(multi, &code) {
            guard let slot = slot(of: easy) else { continue }
            let outcome = slot.outcome(of: code)
            _ = lc_multi_remove(multi, easy)
            end(slot, outcome)
        }
    }

    /// Wakes all who have ended one right after the other: that wakes few threads, and each once.
    private func wakeEnded() {
        guard !ended.isEmpty else { return }
        for (exchange, ending) in ended { exchange.finish(ending) }
        ended.removeAll(keepingCapacity: true)
        if runningCount == 0 { vigil.endedLast(at: .now) }
    }

    private func slot(of easy: OpaquePointer) -> CurlSlot? {
        lc_private(easy).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private func end(_ slot: CurlSlot, _ outcome: CurlEnding.Outcome) {
        let isHalted = slot.isHalted
        guard let (exchange, ending) = slot.end(outcome), let ticket = slot.ticket.take() else { return }
        liveUploads.remove(slot.number)
        // A handle that may keep bytes of this exchange is used for no other.
        if !isHalted || renew(slot) { idle.append(slot.number) }
        finish(exchange, ending, leaving: ticket)
    }

    private func finish(_ exchange: CurlExchange, _ ending: CurlEnding, leaving ticket: AdmissionQueue.Ticket) {
        let next = queue.leave(ticket)
        settle(exchange, ending)
        guard let next, let exchange = waiting.removeValue(forKey: next) else { return }
        _ = exchange.move(to: .nowhere)
        admitted.append((exchange, next))
    }

    /// Ends an exchange, which hears of it together with all others that have ended now.
    private func settle(_ exchange: CurlExchange, _ ending: CurlEnding) {
        ended.append((exchange, ending))
    }

    /// Ends everything, takes nothing more, and frees it all.
    private func end() {
        let unread = mailbox.close()
        let ending = CurlEnding(outcome: .broken(.shutDown, during: .queue))
        for case .start(let exchange) in unread { settle(exchange, ending) }
        for exchange in waiting.values { settle(exchange, ending) }
        for (exchange, _) in admitted { settle(exchange, ending) }
        for slot in slots {
            guard slot.exchange != nil else { continue }
            let phase = slot.phase
            slot.breakOff(.shutDown)
            _ = lc_multi_remove(multi, slot.easy)
            if let (exchange, ending) = slot.end(.broken(.shutDown, during: phase)) { settle(exchange, ending) }
        }
        waiting = [:]
        slots = []
        wakeEnded()
        lc_loop_destroy(system)
    }
}
