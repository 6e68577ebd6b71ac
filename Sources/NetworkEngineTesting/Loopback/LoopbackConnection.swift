import Foundation
import NetworkEngine

/// One connection, on the thread of its server: reads requests, asks for answers, and plays them.
final class LoopbackConnection {
    private enum Phase {
        case idle
        case receiving
        case deciding
        case responding
        case stalled(listens: Bool)
        case draining
        case closed
    }

    let number: Int
    let socket: LoopbackSocket
    /// When the connection wants to go on by itself.
    private(set) var wakeTime: ContinuousClock.Instant?
    private let services: LoopbackServices
    private var parser: RequestParser
    private var phase = Phase.idle
    private var script: ResponseScript?
    private var exchange: LoopbackExchange?
    private var exchangeCount = 0
    /// An answer that was taken before its request was read.
    private var planned: LoopbackResponse?
    private var incidents: ArraySlice<LoopbackIncident> = []
    private var isHeld = false
    private var unsent: ArraySlice<UInt8> = []
    private var clientHasEnded = false
    private var closesOnNextRequest = false
    private var task: Task<Void, Never>?

    init(_ socket: LoopbackSocket, number: Int, services: LoopbackServices) {
        self.socket = socket
        self.number = number
        self.services = services
        parser = RequestParser(
            headLimit: services.configuration.headLimit,
            fieldLimit: services.configuration.headerCountLimit
        )
        services.log.change { record in
            record.acceptedConnections += 1
            record.openConnections += 1
        }
        plan(at: .connect)
        advance()
    }

    var isClosed: Bool {
        if case .closed = phase { return true }
        return false
    }

    private var isPaused: Bool { wakeTime != nil || isHeld }

    var wantsToRead: Bool {
        guard !clientHasEnded else { return false }
        switch phase {
        case .idle: return !isPaused
        case .receiving: return !isPaused
        case .deciding, .responding: return parser.buffered < 1 << 16 && exchange?.isRead != false
        case .stalled(let listens): return listens
        case .draining: return true
        case .closed: return false
        }
    }

    var wantsToWrite: Bool { !unsent.isEmpty }
}

// MARK: - What the loop tells

extension LoopbackConnection {
    func readable(_ scratch: UnsafeMutableRawBufferPointer) {
        if case .idle = phase, planned == nil, parser.buffered == 0 {
            if closesOnNextRequest { return close() }
            plan(at: .requestStart)
            advance()
            guard case .idle = phase, !isPaused else { return }
        }
        switch socket.receive(into: scratch) {
        case .bytes(let count): received(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        case .ended: ended()
        case .wouldBlock: break
        case .failed: close(.reset)
        }
    }

    func writable() {
        guard flush() else { return }
        advance()
    }

    /// The client is gone, without a chance to read what it may have sent.
    func hungUp() { close(.close) }

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
        task = nil
        guard case .deciding = phase else { return }
        respond(response)
        advance()
    }

    func close(_ fault: LoopbackFault = .close) {
        guard !isClosed else { return }
        phase = .closed
        task?.cancel()
        exchange?.settle(log: services.log)
        if fault == .reset { socket.reset() } else { socket.close() }
        services.log.change { $0.openConnections -= 1 }
    }
}

// MARK: - Going on

extension LoopbackConnection {
    private func received(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .stalled, .draining, .closed: return
        default: break
        }
        parser.feed(bytes)
        advance()
    }

    private func ended() {
        clientHasEnded = true
        switch phase {
        case .deciding, .responding:
            // A client that ends its direction has gone, as far as one can see; few go on reading.
            if !services.configuration.servesHalfClosedClients { close() }
        default: close()
        }
    }

    /// Does all that can be done without waiting.
    private func advance() {
        var goesOn = true
        while goesOn, !isPaused, unsent.isEmpty {
            switch phase {
            case .idle: goesOn = reach(.requestStart) && begin()
            case .receiving: goesOn = receive()
            case .responding: goesOn = play()
            case .deciding, .stalled, .draining, .closed: goesOn = false
            }
        }
    }

    private func plan(at point: LoopbackPoint) {
        guard planned == nil, let response = services.answers.next(reaching: point) else { return }
        planned = response
        incidents = response.incidents[...]
    }

    /// Lets happen what is planned up to this moment; false when that ends or interrupts the exchange.
    private func reach(_ point: LoopbackPoint) -> Bool {
        while let incident = incidents.first, incident.point <= point {
            incidents.removeFirst()
            guard perform(incident.action) else { return false }
        }
        return true
    }

    private func perform(_ action: LoopbackIncident.Action) -> Bool {
        switch action {
        case .wait(let duration):
            wakeTime = .now + duration
            return false
        case .hold(let barrier):
            let (mailbox, number) = (services.mailbox, number)
            isHeld = barrier.holds { mailbox.post(.resume(connection: number)) }
            return !isHeld
        case .fault(.close):
            discardWhatCame()
            close()
        case .fault(.reset):
            close(.reset)
        case .fault(.stall):
            let isRead = exchange?.isRead == true
            exchange?.settle(log: services.log)
            phase = .stalled(listens: isRead)
        case .fault(.halfClose):
            socket.finishSending()
            exchange?.settle(log: services.log)
            phase = .stalled(listens: true)
        }
        return false
    }

    private func begin() -> Bool {
        switch parser.next() {
        case .head(let head):
            if planned == nil, let response = services.answers.next() {
                planned = response
                incidents = response.incidents[...]
            }
            exchange = LoopbackExchange(
                head, connection: number, exchange: exchangeCount, response: planned, log: services.log)
            exchangeCount += 1
            planned = nil
            phase = .receiving
            return true
        case .failure(let failure):
            refuse(failure)
            return true
        default:
            return false
        }
    }

    private func receive() -> Bool {
        guard reach(.requestHead), let count = exchange?.request.bodyCount else { return false }
        if exchange?.response?.isEarly == true { return decide() }
        guard continueIfExpected() else { return false }
        guard exchange?.head.framing == RequestHead.Framing.none || reach(.requestBody(afterBytes: count)) else {
            return false
        }
        let limit = incidents.first.map { $0.point.stage == .requestBody ? $0.point.offset - count : .max }
        switch parser.next(bodyLimit: limit ?? .max) {
        case .body(let bytes):
            exchange?.receive(bytes, limit: services.configuration.bodyRecordingLimit, log: services.log)
            if count + bytes.count > services.configuration.bodyLimit {
                refuse(.init(status: 413, reason: "the body is larger than \(services.configuration.bodyLimit) bytes"))
            }
            return true
        case .end(let trailers):
            exchange?.end(trailers, log: services.log)
            return decide()
        case .failure(let failure):
            refuse(failure)
            return true
        default:
            return false
        }
    }

    /// Asks for the body where the client waits for that; false when the socket takes no more for now.
    private func continueIfExpected() -> Bool {
        guard let expecting = exchange, expecting.head.expectsContinue, !expecting.isContinued else { return true }
        exchange?.isContinued = true
        let isWanted = services.configuration.answersExpectations && expecting.response?.answersExpectation != false
        guard isWanted, parser.buffered == 0 else { return true }
        unsent = ResponseHead.interim(.init(100))[...]
        return flush()
    }

    private func decide() -> Bool {
        guard let exchange else { return false }
        if let response = exchange.response {
            respond(response)
            return true
        }
        switch services.answers.handler {
        case .none: respond(LoopbackAnswers.nothingPlanned(for: exchange.request))
        case .immediate(let handler): respond(handler(exchange.request))
        case .suspending(let handler):
            phase = .deciding
            let (mailbox, number) = (services.mailbox, number)
            task = Task.detached {
                mailbox.post(.answer(connection: number, await handler(exchange.request)))
            }
        }
        return true
    }

    private func respond(_ response: LoopbackResponse) {
        let keepsAlive = exchange.map { $0.head.keepsAlive && $0.isRead } ?? false
        phase = .responding
        script = ResponseScript(response, to: exchange?.head, keepsAlive: keepsAlive)
        incidents = []
    }

    private func refuse(_ failure: RequestHead.Failure) {
        services.log.change { $0.refusals.append(failure.reason) }
        exchange?.settle(log: services.log)
        respond(.text(failure.reason + "\n", status: failure.status).ending(.close))
    }

    private func play() -> Bool {
        switch script?.next() {
        case .send(let bytes):
            unsent = bytes[...]
            return flush()
        case .incident(let action):
            return perform(action)
        case .end(let ending):
            return finish(ending)
        case nil:
            return false
        }
    }

    private func finish(_ ending: LoopbackEnding) -> Bool {
        exchange = nil
        script = nil
        switch ending {
        case .close, .closeSilently:
            drain()
            return false
        case .keepAlive, .closeOnNextRequest:
            closesOnNextRequest = ending == .closeOnNextRequest
            phase = .idle
            if closesOnNextRequest, parser.buffered > 0 { close() }
            if clientHasEnded { close() }
            return true
        }
    }

    /// Ends the sending direction and reads on for a while: a reset must not overtake the answer.
    private func drain() {
        socket.finishSending()
        if clientHasEnded { return close() }
        phase = .draining
        wakeTime = .now + services.configuration.lingering
    }

    /// Empties the receive buffer, because closing over unread bytes would be a reset.
    private func discardWhatCame() {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { scratch in
            while case .bytes = socket.receive(into: scratch) {}
        }
    }

    /// Writes what is there; false when the socket takes no more for now or the client is gone.
    private func flush() -> Bool {
        while !unsent.isEmpty {
            switch unsent.withUnsafeBytes(socket.send) {
            case .bytes(let count): unsent = unsent.dropFirst(count)
            case .wouldBlock: return false
            case .ended, .failed:
                close(.reset)
                return false
            }
        }
        return true
    }
}
