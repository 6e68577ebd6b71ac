import CLibcurl
import NetworkEngine

/// A transport's event loop. It is created, used and freed on its thread, so it needs no lock.
///
/// A value, so that the compiler checks exclusive access to its state; for an object this happens at run time.
struct CurlLoop: ~Copyable {
    /// How a loop ended.
    enum Result {
        case shutDown
        /// A system call failed. Exchanges that were not started yet are back in the mailbox.
        case failed
    }

    private let system: OpaquePointer
    private let mailbox: CurlTask.Mailbox
    private let common: CurlCommon
    private let number: Int
    private let base: CurlSharedOptions
    private let agenda = CurlAgenda()
    private var commands: [CurlTask.Command] = []
    private var completions: [Exchange.Completion] = []
    private var admitted: [CurlAdmission] = []
    private var slots: [CurlSlot] = []
    private var idle: [Int] = []
    private var isShuttingDown = false
    private var polling = AdaptivePolling()
    /// The slots with streamed request bodies.
    private var liveUploads: Set<Int> = []
    private var lastLook = Moment.now
    private var lastFollowed = Moment.now
    /// Origins with connections that libcurl cannot share safely.
    private var serialOrigins: Set<String> = []
    /// Origins that were offered HTTP/2 and do not support it.
    private var spread: Set<String> = []

    private static let (mostLaunches, mostOrigins) = (5, 1_000)

    init?(base: CurlSharedOptions, common: CurlCommon, mailbox: CurlTask.Mailbox, number: Int) {
        guard let system = lc_loop_create() else { return nil }
        self.system = system
        self.common = common
        self.number = number
        self.mailbox = mailbox
        self.base = base
        base.apply(to: system)
    }

    /// Runs until it is shut down, or a system call fails.
    mutating func run() -> Result {
        while true {
            carryOutCommands()
            if isShuttingDown {
                end()
                return .shutDown
            }
            launchAdmitted()
            runCompletions()
            reportActivity()
            let maySleep = agenda.resting.isEmpty && !polling.isOn(at: .now) && mailbox.fallAsleep(system)
            var code = lc_loop_step(system, maySleep ? longestSleep : 0)
            if code == 0 { code = sendEnds() }
            guard code == 0 else {
                fail("code \(code)")
                return .failed
            }
            takeBackPermits()
            noteActivity()
            reportActivity()
            finishEnded()
            lookAfterUploads()
            noteSerial()
            decodeFurther()
            endDraining()
        }
    }

    private var runningCount: Int { slots.count - idle.count }

    private mutating func carryOutCommands() {
        mailbox.take(into: &commands)
        for command in commands {
            switch command {
            case .start(let admission): start(admission)
            case .stop(let task): stop(task)
            case .continueSending(let task): resume(task, hasRoom: false)
            case .continueReceiving(let task): resume(task, hasRoom: true)
            case .shutDown: isShuttingDown = true
            }
        }
        commands.removeAll(keepingCapacity: true)
    }

    // MARK: Starting

    private mutating func start(_ admission: CurlAdmission) {
        guard !admission.task.exchange.isOver else { return leave(admission) }
        polling.began(at: admission.task.exchange.start)
        admitted.append(admission)
    }

    /// Starts the exchanges that have a permit. If this fails, the next in the queue takes the permit.
    private mutating func launchAdmitted() {
        var next = 0
        while next < admitted.count {
            let admission = admitted[next]
            next += 1
            launch(admission)
        }
        admitted.removeAll(keepingCapacity: true)
    }

    private mutating func launch(_ admission: CurlAdmission) {
        let (task, permit) = (admission.task, admission.permit)
        let admittance = task.exchange.admit()
        guard admittance != .refused else { return leave(admission) }
        guard let slot = takeSlot() else {
            agenda.add(
                task.exchange.fail { CurlFailure.error(code: 2, message: "", certificate: 0, hasHead: $0) })
            return leave(admission)
        }
        task.exchange.withPosition { $0.slot = slot.number }
        let route = admission.route ?? CurlRoute(kind: isSerial(task) ? LC_MULTI_SERIAL : LC_MULTI_SHARING)
        if let reason = slot.begin(task, permit, route, launches: admission.launches + 1) {
            slot.abort(reason)
            return retire(slot)
        }
        if slot.isOnlyDependent { for slot in slots where slot.task != nil { slot.options.listenFromNow() } }
        // Without the callback before each request, the moment of sending is unknown.
        if !base.announcesRequests, !slot.send() { return retire(slot) }
        guard lc_multi_add(lc_loop_multi(system, route.kind), slot.easy) == 0 else {
            slot.finish(code: 2)
            return retire(slot)
        }
        if task.upload?.isLive == true {
            if admittance == .first { task.startUpload() }
            liveUploads.insert(slot.number)
        }
        if runningCount == 1 { polling.sentAlone(at: .now) }
    }

    private func isSerial(_ task: CurlTask) -> Bool {
        !base.sharesConnections(task.request, task.upload) || serialOrigins.contains(task.request.origin)
    }

    private mutating func takeSlot() -> CurlSlot? {
        if let number = idle.popLast() { return slots[number] }
        guard let easy = lc_easy_create() else { return nil }
        let options = CurlOptions(easy, base: base, callbacks: .ofSlot, system: system)
        let slot = CurlSlot(number: slots.count, options: options, base: base, agenda: agenda)
        slots.append(slot)
        return slot
    }

    // MARK: Continuing

    private mutating func stop(_ task: CurlTask) {
        if let slot = slot(of: task) { close(slot) }
    }

    /// Ends the transfer of a finished exchange.
    private mutating func close(_ slot: CurlSlot) {
        slot.close()
        remove(slot)
        retire(slot)
    }

    private func remove(_ slot: CurlSlot) {
        _ = lc_multi_remove(lc_loop_multi(system, slot.route.kind), slot.easy)
    }

    private mutating func resume(_ task: CurlTask, hasRoom: Bool) {
        guard let slot = slot(of: task) else { return }
        if hasRoom { slot.makeRoom() }
        resume(slot)
    }

    private mutating func resume(_ slot: CurlSlot) {
        let code = lc_easy_pause(slot.easy, Int32(LC_PAUSE_NOTHING))
        // Waiting bytes are now passed on, and may end the exchange, which libcurl reports only here. Between two
        // connections no transfer is paused.
        guard code != 0, slot.hasEnded else { return }
        remove(slot)
        retire(slot)
    }

    /// Continues decoding bodies that were too large for one turn.
    private mutating func decodeFurther() {
        guard !agenda.resting.isEmpty else { return }
        let numbers = Set(agenda.resting)
        agenda.resting.removeAll(keepingCapacity: true)
        for number in numbers where slots[number].isResting { resume(slots[number]) }
    }

    /// Closes the connections of redirects that have not ended in time.
    private mutating func endDraining() {
        guard !agenda.draining.isEmpty else { return }
        let now = Moment.now
        let draining = agenda.draining.filter { slots[$0.number].task === $0.task }
        agenda.draining = draining.filter { $0.end > now }
        for drain in draining where drain.end <= now { close(slots[drain.number]) }
    }

    // MARK: Activity

    /// The longest time to sleep, in milliseconds.
    private var longestSleep: Int32 {
        if liveUploads.contains(where: { slots[$0].mustLookAgain }) { return 10 }
        if !agenda.draining.isEmpty { return 50 }
        return agenda.sending.isEmpty ? 60_000 : 100
    }

    /// Records activity that libcurl does not report: bytes of an incomplete line or a handshake, and bytes that the
    /// system is still sending.
    private mutating func noteActivity() {
        while case let number = Int(lc_loop_take_active(system)), slots.indices.contains(number) {
            slots[number].noteActivity()
        }
        guard !agenda.sending.isEmpty else { return }
        let now = Moment.now
        guard now - lastFollowed >= .milliseconds(50) else { return }
        lastFollowed = now
        for number in agenda.sending where !slots[number].followSending() { agenda.sending.remove(number) }
    }

    /// Restarts the timeouts of the exchanges that have sent or received bytes.
    private mutating func reportActivity() {
        for number in agenda.active where slots.indices.contains(number) { slots[number].reportActivity() }
        agenda.active.removeAll(keepingCapacity: true)
    }

    // MARK: Streamed request bodies

    /// Sends the ends of streamed bodies that libcurl would hold back until the next event.
    ///
    /// - Returns: libcurl's code, 0 for success.
    private func sendEnds() -> Int32 {
        while let number = agenda.ended.popLast() {
            guard liveUploads.contains(number) else { continue }
            let code = slots[number].touchConnection()
            if code != 0 { return code }
        }
        return 0
    }

    /// Handles events that libcurl does not notice while it has nothing to send: an early response, which makes the
    /// rest of the body unnecessary, and a closed connection.
    private mutating func lookAfterUploads() {
        guard !liveUploads.isEmpty else { return }
        while let easy = lc_loop_take_unheard(system) {
            guard let number = liveUploads.first(where: { slots[$0].easy == easy && slots[$0].awaitsBytes }) else {
                continue
            }
            let slot = slots[number]
            guard let code = slot.codeOfHangUp else { continue }
            end(slot, code: code)
        }
        for number in liveUploads where slots[number].hasWholeResponse { end(slots[number], code: 0) }
        let now = Moment.now
        guard now - lastLook >= .milliseconds(10) else { return }
        lastLook = now
        for number in liveUploads where slots[number].mustLookAgain { resume(slots[number]) }
    }

    /// Ends an exchange that libcurl would continue. The request is incomplete, so its connection is not used again.
    private mutating func end(_ slot: CurlSlot, code: Int32) {
        slot.finish(code: code, isEarly: true)
        remove(slot)
        retire(slot)
    }

    // MARK: Ending

    /// Finishes the transfers that libcurl has ended.
    private mutating func finishEnded() {
        for kind in [LC_MULTI_SHARING, LC_MULTI_SERIAL] {
            var code: Int32 = 0
            while let easy = lc_multi_ended(lc_loop_multi(system, kind), &code) {
                guard let slot = slot(of: easy) else { continue }
                let beginsAgain = slot.mayBeginAgain(after: code, atMost: Self.mostLaunches)
                if !beginsAgain, passOn(slot, after: code) { continue }
                if !beginsAgain { slot.finish(code: code) }
                remove(slot)
                if beginsAgain { beginAgain(slot) } else { retire(slot) }
            }
        }
    }

    /// Restarts an exchange if the server has processed nothing of it.
    private mutating func beginAgain(_ slot: CurlSlot) {
        guard let task = slot.task, let permit = slot.permit.take(), let detour = slot.detour else { return }
        if detour.kind == LC_MULTI_SERIAL, slot.route.kind == LC_MULTI_SHARING { keepSerial(task.request.origin) }
        admitted.append(CurlAdmission(task: task, permit: permit, route: detour, launches: slot.launches))
        task.exchange.withPosition { $0.slot = nil }
        retire(slot, remains: true)
    }

    /// Lets another loop start an exchange that found no free descriptor. That loop may have idle connections to close.
    private mutating func passOn(_ slot: CurlSlot, after code: Int32) -> Bool {
        guard slot.lacksDescriptor(after: code), slot.launches < Self.mostLaunches, let task = slot.task,
            let other = task.runningLoop(after: number), let permit = slot.permit.take()
        else { return false }
        let admission = CurlAdmission(task: task, permit: permit, route: slot.onward, launches: slot.launches)
        remove(slot)
        retire(slot, remains: true)
        if !task.move(to: other, from: number, admission) {
            agenda.add(task.exchange.abort(.shutDown))
        }
        return true
    }

    /// Spreads the exchanges of origins without HTTP/2 support over all loops.
    private mutating func noteSerial() {
        if agenda.serial.isEmpty { return }
        for origin in agenda.serial where !spread.contains(origin) {
            common.spread(origin)
            if spread.count < Self.mostOrigins { spread.insert(origin) }
        }
        agenda.serial.removeAll(keepingCapacity: true)
    }

    private mutating func keepSerial(_ origin: String) {
        if serialOrigins.count < Self.mostOrigins { serialOrigins.insert(origin) }
    }

    private mutating func runCompletions() {
        if agenda.completions.isEmpty { return }
        agenda.takeCompletions(into: &completions)
        for completion in completions { completion.run() }
        completions.removeAll(keepingCapacity: true)
        if runningCount == 0 { polling.endedLast(at: .now) }
    }

    private func slot(of easy: OpaquePointer) -> CurlSlot? {
        lc_private(easy).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// The slot of a running exchange; `nil` if the exchange has ended.
    private func slot(of task: CurlTask) -> CurlSlot? {
        task.exchange.position.slot.flatMap { $0 < slots.count && slots[$0].task === task ? slots[$0] : nil }
    }

    /// Releases the resources of a slot's exchange, and keeps the slot for another one if its handle is usable.
    ///
    /// - Parameter remains: whether the exchange is restarted.
    private mutating func retire(_ slot: CurlSlot, remains: Bool = false) {
        guard let task = slot.task else { return }
        liveUploads.remove(slot.number)
        if slot.isMixedUp { keepSerial(task.request.origin) }
        if !remains { common.ended(task.request, on: number) }
        let permit = slot.permit.take()
        if slot.recycle() { idle.append(slot.number) }
        if let permit { leave(permit) }
    }

    /// Passes a permit to the next exchange in the queue.
    private func leave(_ permit: Permit) { common.gate.leave(permit)?.announce() }

    /// Returns the permit and the place of an exchange that does not start.
    private func leave(_ admission: CurlAdmission) {
        common.ended(admission.task.request, on: number)
        leave(admission.permit)
    }

    /// Returns the permits of exchanges that returned their responses while the bodies are still arriving.
    private mutating func takeBackPermits() {
        for permit in agenda.returned { leave(permit) }
        agenda.returned.removeAll(keepingCapacity: true)
    }

    /// Ends all exchanges, rejects new ones, and frees everything.
    private mutating func end() {
        let unread = mailbox.close()
        for case .start(let admission) in unread { agenda.add(admission.task.exchange.abort(.shutDown)) }
        for admission in admitted { agenda.add(admission.task.exchange.abort(.shutDown)) }
        endRunning(.shutDown)
    }

    /// Ends the running exchanges, returns the others to the mailbox, and frees everything.
    private mutating func fail(_ reason: String) {
        mailbox.stayAwake()
        mailbox.putBack(admitted.map { .start($0) })
        endRunning(.loopFailed(reason))
    }

    private mutating func endRunning(_ reason: AbortReason) {
        admitted = []
        for slot in slots {
            guard let task = slot.task else { continue }
            slot.abort(reason)
            remove(slot)
            common.ended(task.request, on: number)
            if let permit = slot.permit.take() { leave(permit) }
        }
        takeBackPermits()
        slots = []
        runCompletions()
        lc_loop_destroy(system)
    }
}
