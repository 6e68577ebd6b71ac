import Foundation
import NetworkEngine

/// Counts events, as a pure state machine.
struct MetricsLedger {
    private typealias Series = MetricsSnapshot.Series
    private typealias Outcome = MetricsSnapshot.Outcome

    /// An object, because a dictionary would copy a value for each change.
    private final class OpenCall {
        let url: URL
        let method: HTTPMethod
        let series: Series
        var isRedirected = false
        var exchanges: [OpenExchange] = []

        init(_ request: HTTPRequest, _ series: Series) {
            (url, method, self.series) = (request.url, request.method, series)
        }
    }

    private struct OpenExchange {
        let number: Int
        let series: Series
        let start: Moment
    }

    private(set) var snapshot = MetricsSnapshot()
    private var calls: [RequestID: OpenCall] = [:]
    private let limit: Int

    /// - Parameter limit: the maximum number of series of each metric.
    init(limit: Int) { self.limit = limit }

    mutating func count(_ event: NetworkEvent) {
        switch event.kind {
        case .callStarted(let start):
            let series = Series(start.request, template: start.template)
            calls[event.callID] = OpenCall(start.request, series)
            snapshot.callsInFlight = calls.count
        case .callEnded(let end):
            guard let call = calls.removeValue(forKey: event.callID) else { return }
            snapshot.callsInFlight = calls.count
            snapshot.calls.update(Outcome(call.series, end.result), orOther: .other, limit, Self.newHistogram) {
                $0.add(end.duration)
            }
        case .attemptStarted: calls[event.callID]?.isRedirected = false
        case .exchangeStarted(let request): begin(request, event)
        case .exchangeEnded(let end): self.end(end, event)
        case .redirected:
            calls[event.callID]?.isRedirected = true
            add(1, to: \.redirects, of: event)
        case .retryDecided(let choice):
            if choice.delay != nil, choice.reason == .advised { add(1, to: \.retries, of: event) }
        case .refreshEnded(let refresh):
            if !refresh.isJoined, let outcome = refresh.outcome { snapshot.refreshes[outcome, default: 0] += 1 }
        case .cacheAnswered(let answer): snapshot.cacheAnswers[answer.outcome, default: 0] += 1
        case .dropped(let calls): snapshot.droppedCalls += calls
        case .bodiesDropped: break
        case .queued, .admitted, .connected, .responded, .progressed, .attemptEnded, .refreshStarted, .streamEvent,
            .reconnecting, .decoded:
            break
        }
    }

    private mutating func begin(_ request: HTTPRequest, _ event: NetworkEvent) {
        guard let call = calls[event.callID] else { return }
        var series = call.series
        if call.isRedirected || request.url != call.url || request.method != call.method {
            series = Series(request, template: call.isRedirected ? nil : call.series.template)
        }
        call.exchanges.append(OpenExchange(number: event.exchange, series: series, start: event.moment))
    }

    private mutating func end(_ end: NetworkEvent.ExchangeEnd, _ event: NetworkEvent) {
        guard let call = calls[event.callID],
            let index = call.exchanges.firstIndex(where: { $0.number == event.exchange })
        else { return }
        let exchange = call.exchanges.remove(at: index)
        let outcome = Outcome(exchange.series, end.result)
        snapshot.requests.update(outcome, orOther: .other, limit, Self.newHistogram) {
            $0.add(event.moment - exchange.start)
        }
        for (bytes, counter) in [
            (end.metrics?.bytesSent, \MetricsSnapshot.bytesSent),
            (end.metrics?.bytesReceived, \MetricsSnapshot.bytesReceived),
        ] {
            guard let bytes, bytes > 0 else { continue }
            snapshot[keyPath: counter].update(exchange.series, orOther: .other, limit, { 0 }) { $0 += bytes }
        }
    }

    private mutating func add(
        _ number: Int, to counter: WritableKeyPath<MetricsSnapshot, [Series: Int]>, of event: NetworkEvent
    ) {
        guard let series = calls[event.callID]?.series else { return }
        snapshot[keyPath: counter].update(series, orOther: .other, limit, { 0 }) { $0 += number }
    }

    private static func newHistogram() -> MetricsSnapshot.Histogram { MetricsSnapshot.Histogram() }
}

extension MetricsSnapshot.Series {
    fileprivate init(_ request: HTTPRequest, template: String?) {
        let server = ServerAddress(request.url)
        self.init(
            method: TelemetryLabels.method(request.method), address: server.host, port: server.port, template: template)
    }
}

extension MetricsSnapshot.Outcome {
    fileprivate static let other = Self(series: .other)

    fileprivate init(_ series: MetricsSnapshot.Series, _ result: Result<HTTPResponse, NetworkError>) {
        let labels = OutcomeLabels(result)
        self.init(series: series, statusCode: labels.statusCode, errorType: labels.errorType)
    }
}

extension Dictionary {
    /// Changes a key's value. A new key beyond the limit is counted under a shared key.
    fileprivate mutating func update(
        _ key: Key, orOther other: Key, _ limit: Int, _ make: () -> Value, _ change: (inout Value) -> Void
    ) {
        let isKnown = count < limit || self[key] != nil
        change(&self[isKnown ? key : other, default: make()])
    }
}
