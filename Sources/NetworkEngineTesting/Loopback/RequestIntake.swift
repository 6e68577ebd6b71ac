import NetworkEngine

/// The steps of reading one request after the other, with what is planned to happen meanwhile.
struct RequestIntake {
    enum Step {
        case needsBytes
        case incident(LoopbackIncident.Action)
        /// The client waits to be asked for the body.
        case sendContinue
        /// The request is to be answered now, with this if it is planned.
        case answer(LoopbackResponse?)
        case refuse(RequestHead.Failure)
    }

    private let connection: Int
    private let services: LoopbackServices
    private var parser: RequestParser
    /// The request that is being read or answered.
    private(set) var exchange: LoopbackExchange?
    private var exchangeCount = 0
    /// The answer of this request, or of the next one when it was taken early.
    private var planned: LoopbackResponse?
    private var timeline = LoopbackTimeline()
    private var isContinued = false

    init(connection: Int, services: LoopbackServices) {
        self.connection = connection
        self.services = services
        parser = RequestParser(
            headLimit: services.configuration.headLimit,
            fieldLimit: services.configuration.headerCountLimit
        )
    }

    /// Whether nothing of the next request has come yet.
    var isIdle: Bool { exchange == nil && parser.buffered == 0 }

    /// Whether more bytes are wanted while an answer is under way: to see the client leave, within reason.
    var hasRoom: Bool { parser.buffered < 1 << 16 && exchange?.isRead != false }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) { parser.feed(bytes) }

    /// Takes the next answer of the queue, if it has plans for so early a moment.
    mutating func plan(at point: LoopbackPoint) {
        guard planned == nil, let response = services.answers.next(reaching: point) else { return }
        plan(response)
    }

    private mutating func plan(_ response: LoopbackResponse?) {
        planned = response
        timeline = LoopbackTimeline(response?.incidents ?? [])
    }

    mutating func next() -> Step {
        while true {
            if let step = exchange == nil ? advanceToHead() : advanceToEnd() { return step }
        }
    }

    /// Ends the exchange after its answer.
    mutating func finish() {
        settle()
        exchange = nil
        plan(nil)
        isContinued = false
    }

    /// Writes down how far the request came.
    mutating func settle() { exchange?.settle(log: services.log) }

    private mutating func advanceToHead() -> Step? {
        if let action = timeline.next(upTo: .requestStart) { return .incident(action) }
        switch parser.next() {
        case .head(let head):
            let exchange = LoopbackExchange(head, connection: connection, number: exchangeCount, log: services.log)
            self.exchange = exchange
            exchangeCount += 1
            if planned == nil { plan(services.answers.next(for: exchange.request)) }
            return nil
        case .failure(let failure): return .refuse(failure)
        default: return .needsBytes
        }
    }

    private mutating func advanceToEnd() -> Step? {
        guard let head = exchange?.head, let count = exchange?.request.bodyCount else { return .needsBytes }
        if let action = timeline.next(upTo: .requestHead) { return .incident(action) }
        if planned?.isEarly == true { return .answer(planned) }
        if exchange?.isRead == true {
            if let action = timeline.next(upTo: .requestBody(afterBytes: .max)) { return .incident(action) }
            settle()
            return .answer(planned)
        }
        if head.expectsContinue, !isContinued {
            isContinued = true
            let isWanted = services.configuration.answersExpectations && planned?.answersExpectation != false
            if isWanted, parser.buffered == 0 { return .sendContinue }
        }
        if head.framing != .none, let action = timeline.next(upTo: .requestBody(afterBytes: count)) {
            return .incident(action)
        }
        return advanceBody(from: count)
    }

    private mutating func advanceBody(from count: Int) -> Step? {
        let untilIncident = timeline.offset(in: .requestBody).map { $0 - count } ?? .max
        switch parser.next(bodyLimit: min(untilIncident, planned?.intake?.bytes ?? .max)) {
        case .body(let bytes):
            exchange?.receive(bytes, services)
            let limit = services.configuration.bodyLimit
            if count + bytes.count > limit {
                return .refuse(.init(status: 413, reason: "the body is larger than \(limit) bytes"))
            }
            return (planned?.intake?.interval).map { .incident(.wait($0)) }
        case .end(let trailers):
            exchange?.end(trailers)
            return nil
        case .failure(let failure): return .refuse(failure)
        case .head, nil: return .needsBytes
        }
    }
}
