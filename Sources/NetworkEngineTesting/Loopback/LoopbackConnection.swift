import NetworkEngine
import NetworkEngineMocks

/// One connection, on its server's thread: reads requests, obtains responses, and sends them.
final class LoopbackConnection {
    let number: Int
    /// The time at which the connection continues without an event.
    private(set) var wakeTime: ContinuousClock.Instant?
    private let services: LoopbackServices
    private var output: BufferedSocket
    private var reader: RequestReader
    private var script: ResponseScript?
    private var phase = LoopbackPhase.requesting
    private var isHeld = false
    private var clientHasEnded = false
    private var closesOnNextRequest = false
    /// Whether unread bytes may precede the client's disconnect.
    private var hidesHangup = false

    init(_ socket: LoopbackSocket, number: Int, services: LoopbackServices) {
        output = BufferedSocket(socket)
        self.number = number
        self.services = services
        reader = RequestReader(connection: number, services: services)
        services.log.change { record in
            record.acceptedConnections += 1
            record.openConnections += 1
        }
        reader.plan(at: .connect)
        advance()
    }

    var descriptor: Int32 { output.socket.descriptor }

    var isClosed: Bool { phase.isClosed }

    private var isPaused: Bool { wakeTime != nil || isHeld }

    var wantsToRead: Bool {
        guard !clientHasEnded else { return false }
        switch phase {
        case .requesting: return !isPaused && !output.isBlocked
        case .deciding, .responding: return reader.canReadMore
        case .stalled(let listens): return listens
        case .upgraded(let upgrade): return upgrade.channel.hasRoom
        case .draining: return true
        case .closed: return false
        }
    }

    /// Whether only the client's disconnect is still of interest.
    var watchesForHangup: Bool {
        switch phase {
        case .stalled(let listens): return !listens
        case .requesting: return isHeld && !services.configuration.servesHalfClosedClients
        case .deciding, .responding, .upgraded, .draining, .closed: return false
        }
    }

    /// Whether to poll for the client's disconnect because the system does not report it.
    var peeksForHangup: Bool { LoopbackPlatform.clientEnded == 0 && watchesForHangup && !hidesHangup }

    var wantsToWrite: Bool { output.isBlocked }

    // MARK: Events from the loop

    func readable(_ scratch: UnsafeMutableRawBufferPointer) {
        if case .requesting = phase, reader.isIdle {
            if closesOnNextRequest { return abandon(scratch) }
            reader.plan(at: .requestStart)
            advance()
            guard wantsToRead else { return }
        }
        hidesHangup = false
        switch output.socket.receive(into: scratch) {
        case .bytes(let count): received(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        case .ended: clientEnded()
        case .wouldBlock: break
        case .failed: close(.reset)
        }
    }

    func peek() {
        switch output.socket.peek() {
        case .bytes: hidesHangup = true
        case .ended, .failed: close()
        case .wouldBlock: break
        }
    }

    private func abandon(_ scratch: UnsafeMutableRawBufferPointer) {
        if case .bytes = output.socket.receive(into: scratch) { services.log.change { $0.abandonedRequestCount += 1 } }
        close()
    }

    func writable() {
        if canContinue(after: output.flush()) { advance() }
    }

    func timerFired() {
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

    func channelChanged() {
        // Data that the client does not read is dropped with the connection.
        if case .upgraded(let upgrade) = phase, output.isBlocked, upgrade.channel.isClosed { return close() }
        advance()
    }

    /// Closes the connection for a test, and cancels the closure that serves it.
    func interrupt(_ fault: LoopbackFault) {
        if case .upgraded(let upgrade) = phase { upgrade.task.cancel() }
        close(fault)
    }

    func close(_ fault: LoopbackFault = .close) {
        if isClosed { return }
        phase.connectionEnds()
        phase = .closed
        reader.recordEnd()
        if fault == .reset { output.socket.reset() } else { output.close() }
        services.log.change { $0.openConnections -= 1 }
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .stalled, .draining, .closed: break
        case .upgraded(let upgrade): upgrade.channel.received(Array(bytes))
        case .requesting, .deciding, .responding:
            reader.feed(bytes)
            advance()
        }
    }

    private func clientEnded() {
        clientHasEnded = true
        switch phase {
        case .deciding, .responding:
            // A client that closes its sending direction has usually disconnected; few continue to read.
            if !services.configuration.servesHalfClosedClients { close() }
        case .upgraded(let upgrade): upgrade.channel.finished()
        case .requesting, .stalled, .draining, .closed: close()
        }
    }

    // MARK: State

    /// Continues until it would have to wait.
    private func advance() {
        var continues = true
        while continues, !isPaused, !output.isBlocked {
            switch phase {
            case .requesting: continues = request()
            case .responding: continues = play()
            case .upgraded(let upgrade): continues = serve(upgrade.channel)
            case .deciding, .stalled, .draining, .closed: continues = false
            }
        }
    }

    private func request() -> Bool {
        switch reader.next() {
        case .needsBytes: return false
        case .incident(let action): return perform(action)
        case .sendContinue: return canContinue(after: output.send(ResponseHead.continueResponse))
        case .answer(let planned): decide(planned)
        case .refuse(let failure):
            services.log.change { $0.refusals.append(failure.reason) }
            reader.recordEnd()
            respond(.text(failure.reason + "\n", status: failure.status).ending(.close))
        }
        return true
    }

    private func play() -> Bool {
        switch script?.next() {
        case .send(let bytes): return canContinue(after: output.send(bytes))
        case .incident(let action): return perform(action)
        case .end(let ending): return finish(ending)
        case nil: return false
        }
    }

    private func canContinue(after progress: BufferedSocket.Progress) -> Bool {
        if progress == .lost { close(.reset) }
        return progress == .done
    }

    private func decide(_ planned: LoopbackResponse?) {
        guard let request = reader.exchange?.request else { return }
        if let planned { return respond(planned) }
        switch services.responses.handler {
        case .none: respond(ResponseSource.noResponse(for: request))
        case .immediate(let handler): respond(handler(request))
        case .suspending(let handler):
            let (mailbox, number) = (services.mailbox, number)
            phase = .deciding(
                Task.detached { mailbox.post(.answer(connection: number, await handler(request))) }
            )
        }
    }

    private func respond(_ response: LoopbackResponse) {
        let keepsAlive = reader.exchange.map { $0.head.keepsAlive && $0.isRead } ?? false
        phase = .responding
        script = ResponseScript(
            response.upgrade?.leavesHTTP == true ? handshake(response) : response,
            to: reader.exchange?.head,
            keepsAlive: keepsAlive
        )
    }

    /// Performs an incident's action. Returns whether the connection can continue immediately.
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
        case .fault(.stall): stall(listens: reader.exchange?.isRead == true)
        case .fault(.halfClose):
            output.socket.finishSending()
            stall(listens: true)
        }
        return false
    }

    private func stall(listens: Bool) {
        reader.recordEnd()
        phase = .stalled(listens: listens)
    }

    private func finish(_ ending: LoopbackEnding) -> Bool {
        if script?.response.upgrade != nil, let script = script.take() { return leaveHTTP(after: script.response) }
        script = nil
        reader.finish()
        switch ending {
        case .close, .closeSilently: drain()
        case .keepAlive, .closeOnNextRequest:
            phase = .requesting
            closesOnNextRequest = ending == .closeOnNextRequest
            if clientHasEnded || (closesOnNextRequest && !reader.isIdle) { close() }
        }
        return true
    }

    private func drain() {
        output.socket.finishSending()
        if clientHasEnded { return close() }
        phase = .draining
        wakeTime = .now + services.configuration.lingering
    }

    // MARK: Connections served by a closure

    /// The answer to a handshake, or a refusal.
    private func handshake(_ response: LoopbackResponse) -> LoopbackResponse {
        do throws(ServerHandshake.Refusal) {
            return try response.answering(reader.exchange?.head, services.configuration.webSockets)
        } catch {
            services.log.change { $0.refusals.append(error.reason) }
            return .text(error.reason + "\n", status: error.status, headers: error.headers)
        }
    }

    private func leaveHTTP(after response: LoopbackResponse) -> Bool {
        guard let request = reader.exchange?.request else { return false }
        let parser = reader.exchange?.isRead == true ? nil : reader.parser
        reader.finish()
        switch response.upgrade {
        case .webSocket(let service):
            continueAs(LoopbackUpgrade(service, after: response, to: request, received: reader.takeRest(), services))
            return true
        case .duplex(let service):
            continueAs(LoopbackUpgrade(of: request, services) { await service.run(over: $0, to: request, parser) })
            return true
        case .bytes, nil: break
        }
        if response.ending == .keepAlive {
            stall(listens: true)
        } else {
            drain()
        }
        return true
    }

    private func continueAs(_ upgrade: LoopbackUpgrade) {
        phase = .upgraded(upgrade)
        if clientHasEnded { upgrade.channel.finished() }
    }

    private func serve(_ channel: LoopbackChannel) -> Bool {
        switch channel.next() {
        case .send(let bytes): return canContinue(after: output.send(bytes))
        case .wait: return false
        case .close:
            drain()
            return false
        }
    }
}
