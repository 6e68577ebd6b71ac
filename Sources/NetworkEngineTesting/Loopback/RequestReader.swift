import Foundation
import NetworkEngine

/// Reads requests one after another, and performs the incidents planned for that time.
struct RequestReader {
    enum Step {
        case needsBytes
        case incident(LoopbackIncident.Action)
        case sendContinue
        /// The request can be answered now, with the planned response if there is one.
        case answer(LoopbackResponse?)
        case refuse(RequestHead.Failure)
    }

    private let connection: Int
    private let services: LoopbackServices
    private(set) var parser: RequestParser
    private(set) var exchange: LoopbackExchange?
    private var exchangeCount = 0
    /// The response to this request, or to the next one if it was taken early.
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

    /// Whether no byte of the next request has arrived.
    var isIdle: Bool { exchange == nil && parser.buffered == 0 }

    /// Whether to read more during a response, to notice a disconnect; bounded.
    var canReadMore: Bool { parser.buffered < 1 << 16 && exchange?.isRead != false }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) { parser.feed(bytes) }

    /// Takes the next queued response if it has an incident at this early point.
    mutating func plan(at point: LoopbackPoint) {
        guard planned == nil, let response = services.responses.next(reaching: point) else { return }
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

    mutating func finish() {
        recordEnd()
        exchange = nil
        plan(nil)
        isContinued = false
    }

    /// Removes and returns the bytes that arrived after the request.
    mutating func takeRest() -> [UInt8] { parser.takeRest() }

    mutating func recordEnd() {
        // Copied, because in library evolution mode the layout is unknown, so this whole value would be accessed twice.
        let log = services.log
        exchange?.recordEnd(log: log)
    }

    private mutating func advanceToHead() -> Step? {
        if let action = timeline.next(upTo: .requestStart) { return .incident(action) }
        switch parser.next() {
        case .head(let head):
            let exchange = LoopbackExchange(head, connection: connection, number: exchangeCount, log: services.log)
            self.exchange = exchange
            exchangeCount += 1
            if planned == nil { plan(services.responses.next(for: exchange.request)) }
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
            recordEnd()
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
        switch parser.next(bodyLimit: min(untilIncident, planned?.readPacing?.bytes ?? .max)) {
        case .body(let bytes):
            let services = services
            exchange?.receive(bytes, services)
            let limit = services.configuration.bodyLimit
            if count + bytes.count > limit {
                return .refuse(.init(status: 413, reason: "the body is larger than \(limit) bytes"))
            }
            return (planned?.readPacing?.interval).map { .incident(.wait($0)) }
        case .end(let trailers):
            exchange?.end(trailers)
            return nil
        case .failure(let failure): return .refuse(failure)
        case .head, nil: return .needsBytes
        }
    }
}

/// A request that is being read.
struct LoopbackExchange {
    let head: RequestHead
    private(set) var request: LoopbackRequest
    /// Whether the whole request was read.
    private(set) var isRead = false
    private let index: Int?
    private var isRecorded = false

    init(_ head: RequestHead, connection: Int, number: Int, log: LoopbackLog) {
        self.head = head
        request = LoopbackRequest(head, connection: connection, exchange: number)
        index = log.begin(request)
    }

    mutating func receive(_ bytes: [UInt8], _ services: LoopbackServices) {
        request.receive(bytes, limit: services.configuration.bodyRecordingLimit)
        services.log.change { $0.bodyByteCount += bytes.count }
    }

    mutating func end(_ trailers: HTTPHeaders) {
        request.end(trailers)
        isRead = true
    }

    /// Records the end of the request once.
    mutating func recordEnd(log: LoopbackLog) {
        guard !isRecorded else { return }
        isRecorded = true
        log.finish(request, at: index)
    }
}
