import CLibcurl
import NetworkEngine

/// The event loop of one transport. Made, used and freed on its thread, so that nothing in it needs a lock.
final class CurlLoop {
    /// An exchange that has a place and is not on the wire yet.
    private struct Admission {
        var exchange: CurlExchange
        var ticket: AdmissionQueue.Ticket
        /// The way it must take, where it was on the wire before.
        var route: CurlRoute?
        var launches = 0
    }

    /// The end of a loop.
    enum Result {
        case shutDown
        /// The system has refused something. Exchanges that were not on the wire yet are in the mailbox again.
        case failed
    }

    private let system: OpaquePointer
    private let mailbox: CurlExchange.Mailbox
    private let base: CurlSharedOptions
    private let agenda = CurlAgenda()
    private var commands: [CurlExchange.Command] = []
    private var queue: AdmissionQueue
    private var waiting: [AdmissionQueue.Ticket: CurlExchange] = [:]
    private var admitted: [Admission] = []
    private var slots: [CurlSlot] = []
    private var idle: [Int] = []
    private var isShuttingDown = false
    /// Exchanges that have ended and were not told yet.
    private var ended: [(exchange: CurlExchange, ending: CurlEnding)] = []
    private var vigil = AdaptivePolling()
    /// The slots of those whose bodies come while they are sent.
    private var liveUploads: Set<Int> = []
    private var lastLook = ContinuousClock.now
    private var lastFollowed = ContinuousClock.now
    /// Origins whose connections libcurl cannot share without danger.
    private var serialOrigins: Set<String> = []

    private static let mostLaunches = 5
    private static let mostSerialOrigins = 1_000

    init?(_ configuration: CurlConfiguration, base: CurlSharedOptions, mailbox: CurlExchange.Mailbox) {
        guard let system = lc_loop_create() else { return nil }
        self.system = system
        self.mailbox = mailbox
        self.base = base
        queue = AdmissionQueue(perHost: configuration.requestsPerHost, total: configuration.requestsInAll)
        base.apply(to: system)
    }

    /// Works until it is told to shut down, or the system refuses something.
    func run() -> Result {
        while true {
            carryOutCommands()
            if isShuttingDown {
                end()
                return .shutDown
            }
            launchAdmitted()
            wakeEnded()
            let maySleep = agenda.resting.isEmpty && !vigil.isOn(at: .now) && mailbox.fallAsleep(system)
            agenda.step += 1
            let code = lc_loop_step(system, maySleep ? longestSleep : 0)
            guard code == 0 else {
                fail("code \(code)")
                return .failed
            }
            freePlaces()
            noteActivity()
            finishEnded()
            lookAfterUploads()
            decodeFurther()
            endDraining()
        }
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
        if isAdmitted { return admitted.append(Admission(exchange: exchange, ticket: ticket)) }
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
            let admission = admitted[next]
            next += 1
            launch(admission)
        }
        admitted.removeAll(keepingCapacity: true)
    }

    private func launch(_ admission: Admission) {
        let (exchange, ticket) = (admission.exchange, admission.ticket)
        guard let slot = takeSlot() else {
            let ending = CurlEnding(outcome: .failed(code: 2, message: "", certificate: 0))
            return finish(exchange, ending, leaving: ticket)
        }
        if let reason = exchange.move(to: .running(slot: slot.number)) {
            idle.append(slot.number)
            return finish(exchange, CurlEnding(outcome: .broken(reason, during: .queue)), leaving: ticket)
        }
        if admission.launches == 0 { exchange.context.admitted() }
        let route = admission.route ?? CurlRoute(kind: isSerial(exchange) ? LC_MULTI_SERIAL : LC_MULTI_SHARING)
        if let fault = slot.begin(exchange, ticket, route, launches: admission.launches + 1) {
            return end(slot, .broken(fault, during: .connect))
        }
        let code = lc_multi_add(lc_loop_multi(system, route.kind), slot.easy)
        if code != 0 { return end(slot, .failed(code: 2, message: "", certificate: 0)) }
        let isLive = admission.launches == 0 ? exchange.startUpload() : exchange.upload?.isLive == true
        if isLive { liveUploads.insert(slot.number) }
        if runningCount == 1 { vigil.sentAlone(at: .now) }
    }

    private func isSerial(_ exchange: CurlExchange) -> Bool {
        !base.offersHTTP2(exchange.wire, exchange.upload) || serialOrigins.contains(exchange.wire.origin)
    }

    private func takeSlot() -> CurlSlot? {
        if let number = idle.popLast() { return slots[number] }
        guard let easy = lc_easy_create() else { return nil }
        let options = CurlOptions(easy, base: base, callbacks: .ofSlot, system: system)
        let slot = CurlSlot(number: slots.count, options: options, base: base, agenda: agenda)
        slots.append(slot)
        return slot
    }

    // MARK: Going on

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
            breakOff(slot, reason)
        }
    }

    private func breakOff(_ slot: CurlSlot, _ reason: CurlBreak) {
        let phase = slot.phase
        slot.breakOff(reason)
        remove(slot)
        end(slot, .broken(reason, during: phase))
    }

    private func remove(_ slot: CurlSlot) {
        _ = lc_multi_remove(lc_loop_multi(system, slot.route.kind), slot.easy)
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
        remove(slot)
        end(slot, outcome)
    }

    /// Decodes further where a body had more in it than one turn allows.
    private func decodeFurther() {
        guard !agenda.resting.isEmpty else { return }
        let numbers = Set(agenda.resting)
        agenda.resting.removeAll(keepingCapacity: true)
        for number in numbers where slots[number].isResting { goOn(slots[number]) }
    }

    /// Drops the connections of redirects whose bodies have not ended in time.
    private func endDraining() {
        guard !agenda.draining.isEmpty else { return }
        let now = ContinuousClock.now
        let draining = agenda.draining.filter { slots[$0.number].exchange === $0.exchange }
        agenda.draining = draining.filter { $0.end > now }
        for drain in draining where drain.end <= now { breakOff(slots[drain.number], .followed) }
    }

    // MARK: Activity

    /// In milliseconds.
    private var longestSleep: Int32 {
        if liveUploads.contains(where: { slots[$0].isAnsweredEarly }) { return 10 }
        if !agenda.draining.isEmpty { return 50 }
        return agenda.sending.isEmpty ? 60_000 : 100
    }

    /// Reports bytes that libcurl does not tell of: those of an incomplete line or a handshake, and those that the system
    /// sends by itself.
    private func noteActivity() {
        while case let number = Int(lc_loop_take_active(system)), slots.indices.contains(number) {
            slots[number].noteEvent()
        }
        guard !agenda.sending.isEmpty else { return }
        let now = ContinuousClock.now
        guard now - lastFollowed >= .milliseconds(50) else { return }
        lastFollowed = now
        for number in agenda.sending where !slots[number].followSending() { agenda.sending.remove(number) }
    }

    // MARK: Bodies that come while they are sent

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
            remove(slot)
            end(slot, outcome)
        }
        let now = ContinuousClock.now
        guard now - lastLook >= .milliseconds(10) else { return }
        lastLook = now
        for number in liveUploads where slots[number].isAnsweredEarly { goOn(slots[number]) }
    }

    // MARK: Ending

    /// Finishes what libcurl has come to an end with.
    private func finishEnded() {
        for kind in [LC_MULTI_SHARING, LC_MULTI_SERIAL] {
            var code: Int32 = 0
            while let easy = lc_multi_ended(lc_loop_multi(system, kind), &code) {
                guard let slot = slot(of: easy) else { continue }
                let outcome = slot.outcome(of: code)
                remove(slot)
                if !beginAgain(slot) { end(slot, outcome) }
            }
        }
    }

    /// Sends an exchange another way, where nothing of it was sent on this one.
    private func beginAgain(_ slot: CurlSlot) -> Bool {
        guard let detour = slot.detour, slot.breakage == nil, slot.launches < Self.mostLaunches else { return false }
        let launches = slot.launches
        guard let (exchange, ticket) = slot.release() else { return false }
        if detour.kind == LC_MULTI_SERIAL, slot.route.kind == LC_MULTI_SHARING { keepSerial(exchange.wire.origin) }
        retire(slot, wasHalted: false)
        _ = exchange.move(to: .nowhere)
        admitted.append(Admission(exchange: exchange, ticket: ticket, route: detour, launches: launches))
        return true
    }

    private func keepSerial(_ origin: String) {
        if serialOrigins.count < Self.mostSerialOrigins { serialOrigins.insert(origin) }
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
        let wasHalted = slot.isHalted
        let ticket = slot.ticket.take()
        guard let (exchange, ending) = slot.end(outcome) else { return }
        if case .broken(.mixedUp, _) = outcome { keepSerial(exchange.wire.origin) }
        retire(slot, wasHalted: wasHalted)
        finish(exchange, ending, leaving: ticket)
    }

    /// Keeps a slot for the next exchange, if its handle is fit for one.
    private func retire(_ slot: CurlSlot, wasHalted: Bool) {
        liveUploads.remove(slot.number)
        if slot.recycle(afterHalt: wasHalted) { idle.append(slot.number) }
    }

    private func finish(_ exchange: CurlExchange, _ ending: CurlEnding, leaving ticket: AdmissionQueue.Ticket?) {
        settle(exchange, ending)
        if let ticket { leave(ticket) }
    }

    /// Gives a place to the next in the queue.
    private func leave(_ ticket: AdmissionQueue.Ticket) {
        guard let next = queue.leave(ticket), let exchange = waiting.removeValue(forKey: next) else { return }
        _ = exchange.move(to: .nowhere)
        admitted.append(Admission(exchange: exchange, ticket: next))
    }

    /// Takes back the places of those whose responses were given away while their bodies are still coming.
    private func freePlaces() {
        for ticket in agenda.freed { leave(ticket) }
        agenda.freed.removeAll(keepingCapacity: true)
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
        for admission in admitted { settle(admission.exchange, ending) }
        endRunning(.shutDown)
    }

    /// Ends what is on the wire, gives the rest back to the mailbox, and frees it all.
    private func fail(_ why: String) {
        mailbox.stayAwake()
        let unsent = admitted.map(\.exchange) + waiting.sorted { $0.key.number < $1.key.number }.map(\.value)
        for exchange in unsent { _ = exchange.move(to: .nowhere) }
        mailbox.putBack(unsent.map { .start($0) })
        endRunning(.loopFailed(why))
    }

    private func endRunning(_ reason: CurlBreak) {
        waiting = [:]
        admitted = []
        for slot in slots where slot.exchange != nil {
            let phase = slot.phase
            slot.breakOff(reason)
            remove(slot)
            if let (exchange, ending) = slot.end(.broken(reason, during: phase)) { settle(exchange, ending) }
        }
        slots = []
        wakeEnded()
        lc_loop_destroy(system)
    }
}
