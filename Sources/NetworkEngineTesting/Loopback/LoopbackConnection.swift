import Foundation

/// One connection, on the thread of its server: reads requests, asks for answers, and plays them.
final class LoopbackConnection {
    private enum Phase {
        case requesting
        /// A handler is thinking.
        case deciding(Task<Void, Never>)
        case responding
        case stalled(listens: Bool)
        /// All is sent; reading goes on for a while, so that a reset does not overtake the answer.
        case draining
        case closed
    }

    let number: Int
    /// When the connection wants to go on by itself.
    private(set) var wakeTime: ContinuousClock.Instant?
    private let services: LoopbackServices
    private var wire: LoopbackWire
    private var intake: RequestIntake
    private var script: ResponseScript?
    private var phase = Phase.requesting
    private var isHeld = false
    private var clientHasEnded = false
    private var closesOnNextRequest = false

    init(_ socket: LoopbackSocket, number: Int, services: LoopbackServices) {
        wire = LoopbackWire(socket)
        self.number = number
        self.services = services
        intake = RequestIntake(connection: number, services: services)
        services.log.change { record in
            record.acceptedConnections += 1
            record.openConnections += 1
        }
        intake.plan(at: .connect)
        advance()
    }

    var descriptor: Int32 { wire.socket.descriptor }

    var isClosed: Bool {
        if case .closed = phase { return true }
        return false
    }

    private var isPaused: Bool { wakeTime != nil || isHeld }

    var wantsToRead: Bool {
        guard !clientHasEnded else { return false }
        switch phase {
        case .requesting: return !isPaused && !wire.isBlocked
        case .deciding, .responding: return intake.hasRoom
        case .stalled(let listens): return listens
        case .draining: return true
        case .closed: return false
        }
    }

    /// Whether all that is left to see is the client's leaving.
    var wantsToKnowTheEnd: Bool {
        switch phase {
        case .stalled(let listens): return !listens
        case .requesting: return isHeld && !services.configuration.servesHalfClosedClients
        case .deciding, .responding, .draining, .closed: return false
        }
    }

    var wantsToWrite: Bool { wire.isBlocked }

    // MARK: What the loop tells

    func readable(_ scratch: UnsafeMutableRawBufferPointer) {
        if case .requesting = phase, intake.isIdle {
            if closesOnNextRequest { return abandon(scratch) }
            intake.plan(at: .requestStart)
            advance()
            guard wantsToRead else { return }
        }
        switch wire.socket.receive(into: scratch) {
        case .bytes(let count): received(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        case .ended: ended()
        case .wouldBlock: break
        case .failed: close(.reset)
        }
    }

    private func abandon(_ scratch: UnsafeMutableRawBufferPointer) {
        if case .bytes = wire.socket.receive(into: scratch) { services.log.change { $0.abandonedRequestCount += 1 } }
        close()
    }

    func writable() {
        if goesOn(after: wire.flush()) { advance() }
    }

    func timeCame() {
        wakeTime = nil
        if case .draining = phase { return close() }
        advance()
    }

    func resume() {
        isHeld = false
        advance()
    }

    func answer(_ response: LoopbackResponse) {
        guard case .deciding = phase else { return }
        respond(response)
        advance()
    }

    func close(_ fault: LoopbackFault = .close) {
        if case .closed = phase { return }
        if case .deciding(let task) = phase { task.cancel() }
        phase = .closed
        intake.settle()
        if fault == .reset { wire.socket.reset() } else { wire.close() }
        services.log.change { $0.openConnections -= 1 }
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .stalled, .draining, .closed: break
        case .requesting, .deciding, .responding:
            intake.feed(bytes)
            advance()
        }
    }

    private func ended() {
        clientHasEnded = true
        switch phase {
        case .deciding, .responding:
            // A client that ends its direction has gone, as far as one can see; few go on reading.
            if !services.configuration.servesHalfClosedClients { close() }
        case .requesting, .stalled, .draining, .closed: close()
        }
    }

    // MARK: Going on

    /// Does all that can be done without waiting.
    private func advance() {
        var goesOn = true
        while goesOn, !isPaused, !wire.isBlocked {
            switch phase {
            case .requesting: goesOn = request()
            case .responding: goesOn = play()
            case .deciding, .stalled, .draining, .closed: goesOn = false
            }
        }
    }

    private func request() -> Bool {
        switch intake.next() {
        case .needsBytes: return false
        case .incident(let action): return perform(action)
        case .sendContinue: return goesOn(after: wire.send(ResponseHead.pleaseContinue))
        case .answer(let planned): decide(planned)
        case .refuse(let failure):
            services.log.change { $0.refusals.append(failure.reason) }
            intake.settle()
            respond(.text(failure.reason + "\n", status: failure.status).ending(.close))
        }
        return true
    }

    private func play() -> Bool {
        switch script?.next() {
        case .send(let bytes): return goesOn(after: wire.send(bytes))
        case .incident(let action): return perform(action)
        case .end(let ending): return finish(ending)
        case nil: return false
        }
    }

    private func goesOn(after progress: LoopbackWire.Progress) -> Bool {
        if progress == .lost { close(.reset) }
        return progress == .done
    }

    private func decide(_ planned: LoopbackResponse?) {
        guard let request = intake.exchange?.request else { return }
        if let planned { return respond(planned) }
        switch services.answers.handler {
        case .none: respond(LoopbackAnswers.nothingPlanned(for: request))
        case .immediate(let handler): respond(handler(request))
        case .suspending(let handler):
            let (mailbox, number) = (services.mailbox, number)
            phase = .deciding(
                Task.detached { mailbox.post(.answer(connection: number, await handler(request))) }
            )
        }
    }

    private func respond(_ response: LoopbackResponse) {
        let keepsAlive = intake.exchange.map { $0.head.keepsAlive && $0.isRead } ?? false
        phase = .responding
        script = ResponseScript(response, to: intake.exchange?.head, keepsAlive: keepsAlive)
    }

    /// Whether to go on at once.
    private func perform(_ action: LoopbackIncident.Action) -> Bool {
        switch action {
        case .wait(let duration):
            wakeTime = .now + duration
            return false
        case .hold(let barrier):
            let (mailbox, number) = (services.mailbox, number)
            isHeld = barrier.holds { mailbox.post(.resume(connection: number)) }
            return !isHeld
        case .fault(.close): close()
        case .fault(.reset): close(.reset)
        case .fault(.stall): stall(listens: intake.exchange?.isRead == true)
        case .fault(.halfClose):
            wire.socket.finishSending()
            stall(listens: true)
        }
        return false
    }

    private func stall(listens: Bool) {
        intake.settle()
        phase = .stalled(listens: listens)
    }

    private func finish(_ ending: LoopbackEnding) -> Bool {
        script = nil
        intake.finish()
        switch ending {
        case .close, .closeSilently: drain()
        case .keepAlive, .closeOnNextRequest:
            phase = .requesting
            closesOnNextRequest = ending == .closeOnNextRequest
            if clientHasEnded || (closesOnNextRequest && !intake.isIdle) { close() }
        }
        return true
    }

    private func drain() {
        wire.socket.finishSending()
        if clientHasEnded { return close() }
        phase = .draining
        wakeTime = .now + services.configuration.lingering
    }
}
