import Foundation
import NetworkEngine

/// A call as stored in a recording, with its secrets.
struct RecordedCall: Sendable {
    /// A part of a call other than its exchanges.
    struct Step: Sendable {
        enum Kind: String, Sendable { case attempt, wait, refresh, cache, decoding, reconnection }

        var kind: Kind
        var attempt: Int
        /// The times since the start of the call.
        var start: Duration
        var end: Duration?
        var text: String?
    }

    struct End: Sendable {
        var duration: Duration
        var attempts: Int
        var statusCode: Int?
        var isCanceled = false
        /// The description of the error.
        var error: String?
    }

    let id: RequestID
    /// The start; the request has no body.
    let start: NetworkEvent.CallStart
    private(set) var exchanges: [RecordedExchange] = []
    private(set) var steps: [Step] = []
    private(set) var end: End?
    /// The number of stream events.
    private(set) var streamEvents = 0
    private let moment: Moment
    private let ownCost: Int
    /// The cache answers that don't belong to an exchange, by attempt.
    private var cacheAnswers: [Int: NetworkEvent.CacheAnswer] = [:]
    private var attemptRequest: HTTPRequest?

    init(_ id: RequestID, _ start: NetworkEvent.CallStart, at moment: Moment) {
        var start = start
        start.request.body = .absent
        (self.id, self.start, self.moment) = (id, start, moment)
        ownCost = 1_200 + start.request.url.absoluteString.utf8.count
    }

    /// - Parameter errorText: the description of the event's error.
    mutating func take(_ event: NetworkEvent, errorText: String?, bodyLimit: Int) {
        let time = event.moment - moment
        switch event.kind {
        case .exchangeStarted(let request):
            append(
                RecordedExchange(
                    number: event.exchange, attempt: event.attempt, request: request, start: time, bodyLimit: bodyLimit)
            )
        case .admitted: change(event.exchange) { $0.admitted = $0.admitted ?? time }
        case .connected(let connection): change(event.exchange) { $0.connection = connection }
        case .responded(let head): change(event.exchange) { $0.begin(head, at: time) }
        case .exchangeEnded(let end):
            change(event.exchange) { exchange in
                exchange.metrics = end.metrics
                exchange.finish(end.result, errorText: errorText, at: time, bodyLimit: bodyLimit)
            }
        case .attemptStarted(let request):
            endSteps(.wait, at: time)
            attemptRequest = request
            append(Step(kind: .attempt, attempt: event.attempt, start: time))
        case .attemptEnded(let end):
            answer(event.attempt, end.result, at: time, bodyLimit: bodyLimit)
            endSteps(.attempt, at: time)
        case .retryDecided(let choice):
            guard choice.delay != nil else { return }
            append(Step(kind: .wait, attempt: event.attempt, start: time, text: choice.reason.rawValue))
        case .refreshStarted(let refresh):
            let text = refresh.isJoined ? "joined" : "started"
            append(Step(kind: .refresh, attempt: event.attempt, start: time, text: text))
        case .refreshEnded(let refresh): endSteps(.refresh, at: time, text: refresh.outcome?.rawValue)
        case .cacheAnswered(let answer):
            append(
                Step(kind: .cache, attempt: event.attempt, start: time, end: time, text: answer.outcome.rawValue))
            if event.exchange > 0 {
                change(event.exchange) { $0.cache = answer }
            } else {
                cacheAnswers[event.attempt] = answer
            }
        case .reconnecting(let reconnection):
            let text = reconnection.reason ?? "number \(reconnection.number)"
            append(
                Step(
                    kind: .reconnection, attempt: event.attempt, start: time, end: time + reconnection.delay, text: text
                ))
        case .decoded(let decoding):
            append(
                Step(
                    kind: .decoding, attempt: event.attempt, start: max(.zero, time - decoding.duration), end: time,
                    text: decoding.typeName))
        case .streamEvent: streamEvents += 1
        case .callEnded(let end): finish(end, errorText: errorText, at: time)
        case .callStarted, .queued, .progressed, .redirected, .dropped, .bodiesDropped: break
        }
    }

    private mutating func finish(_ end: NetworkEvent.CallEnd, errorText: String?, at time: Duration) {
        for kind in [Step.Kind.attempt, .wait, .refresh] { endSteps(kind, at: time) }
        (attemptRequest, cacheAnswers) = (nil, [:])
        self.end = End(duration: end.duration, attempts: end.attempts)
        switch end.result {
        case .success(let response): self.end?.statusCode = response.statusCode
        case .failure(let error):
            self.end?.statusCode = error.statusCode
            self.end?.isCanceled = error.kind == .cancelled
            self.end?.error = errorText ?? ""
        }
    }

    /// Adds an exchange for a stored response, or notes what the cache did for the last exchange.
    private mutating func answer(
        _ attempt: Int, _ result: Result<HTTPResponse, NetworkError>, at time: Duration, bodyLimit: Int
    ) {
        guard let answer = cacheAnswers.removeValue(forKey: attempt) else { return }
        let isStored = answer.outcome == .hit || answer.outcome == .stale
        if isStored, case .success(let response) = result {
            let start = steps.last { $0.kind == .cache && $0.attempt == attempt }?.start ?? time
            let request = attemptRequest ?? response.request
            var exchange = RecordedExchange(
                number: 0, attempt: attempt, request: request, start: start, bodyLimit: bodyLimit)
            exchange.cache = answer
            exchange.finish(result, errorText: nil, at: time, bodyLimit: bodyLimit)
            exchange.metrics = nil
            append(exchange)
        } else if let last = exchanges.lastIndex(where: { $0.attempt == attempt }) {
            exchanges[last].cache = answer
        }
    }

    // MARK: Bounds

    /// The number of exchanges, and of steps, to keep for one call. A reconnecting endless stream has many.
    private static let limit = 256

    private mutating func append(_ exchange: RecordedExchange) {
        if exchanges.count >= Self.limit { exchanges.removeFirst() }
        exchanges.append(exchange)
    }

    private mutating func append(_ step: Step) {
        if steps.count >= Self.limit { steps.removeFirst() }
        steps.append(step)
    }

    private mutating func change(_ number: Int, _ change: (inout RecordedExchange) -> Void) {
        guard let index = exchanges.lastIndex(where: { $0.number == number }) else { return }
        change(&exchanges[index])
    }

    private mutating func endSteps(_ kind: Step.Kind, at time: Duration, text: String? = nil) {
        for index in steps.indices where steps[index].kind == kind && steps[index].end == nil {
            steps[index].end = time
            if let text { steps[index].text = text }
        }
    }

    /// The date at which an exchange started.
    func date(of exchange: RecordedExchange) -> Date { start.date.addingTimeInterval(exchange.start.inSeconds) }

    mutating func removeBodies() {
        for index in exchanges.indices { exchanges[index].removeBodies() }
    }

    /// The approximate memory size in bytes.
    var cost: Int {
        exchanges.reduce(ownCost + steps.count * 96) { $0 + $1.cost }
    }
}
