import Foundation
import NetworkEngine

/// The first line of a timeline's data.
struct TimelineHead: Encodable {
    let start: Date
    let note: String?

    private enum Key: String, CodingKey { case start, note }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(start.timeIntervalSince1970 * 1_000, forKey: .start)
        try container.encodeIfPresent(note, forKey: .note)
    }
}

/// A call in a timeline, without secrets. Times are in milliseconds: the call's since the first call, all others since
/// the start of the call.
struct TimelineRow: Encodable {
    let id: UInt64
    let method: String
    let url: String
    /// The name of a GraphQL operation.
    let operation: String?
    let template: String?
    let start: Double
    /// `nil` for an open call.
    let duration: Double?
    let status: Int?
    let attempts: Int
    let isCanceled: Bool
    let error: String?
    let streamEvents: Int
    let steps: [Step]
    let exchanges: [Exchange]

    struct Step: Encodable {
        let kind: String
        let attempt: Int
        let start: Double
        let end: Double?
        let text: String?
    }

    struct Exchange: Encodable {
        let start: Double
        let isOpen: Bool
        let isReused: Bool?
        let entry: HAREntry
        let curl: String
    }

    init(_ call: RecordedCall, since first: Date, _ redaction: inout CallRedaction) {
        id = call.id.rawValue
        method = call.start.request.method.rawValue
        url = redaction.address(of: call)
        operation = call.start.operationName
        template = call.start.template
        start = Self.round(call.start.date.timeIntervalSince(first) * 1_000)
        duration = call.end.map { Self.milliseconds($0.duration) }
        status = call.end?.statusCode
        attempts = call.end?.attempts ?? call.exchanges.last?.attempt ?? 0
        isCanceled = call.end?.isCanceled ?? false
        error = call.end?.error.map(redaction.scrub)
        streamEvents = call.streamEvents
        steps = call.steps.map { step in
            Step(
                kind: step.kind.rawValue, attempt: step.attempt, start: Self.milliseconds(step.start),
                end: step.end.map(Self.milliseconds), text: step.text.map(redaction.scrub))
        }
        var exchanges: [Exchange] = []
        for exchange in call.exchanges {
            var entry = redaction.entry(for: exchange, of: call)
            let curl = Self.curl(entry, exchange)
            // The address contains it, too.
            entry.request.queryString = []
            exchanges.append(
                Exchange(
                    start: Self.milliseconds(exchange.start), isOpen: exchange.end == nil,
                    isReused: exchange.metrics?.isConnectionReused ?? exchange.connection?.isReused, entry: entry,
                    curl: curl))
        }
        self.exchanges = exchanges
    }

    private static func curl(_ entry: HAREntry, _ exchange: RecordedExchange) -> String {
        guard var request = entry.request.request else { return "" }
        let isComplete = exchange.requestBody?.note == nil
        if case .file = exchange.request.body { request.body = exchange.request.body }
        if exchange.requestBody == nil { request.body = .absent }
        if !isComplete, case .data = request.body { request.body = .stream(BodyStream { .init { $0.finish() } }) }
        let note = isComplete ? "" : "# The recording does not have the whole body.\n"
        return note + CURLWriter(request, body: CURLBody(request.body)).command
    }

    private static func milliseconds(_ duration: Duration) -> Double { round(duration / .milliseconds(1)) }

    private static func round(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }
}
