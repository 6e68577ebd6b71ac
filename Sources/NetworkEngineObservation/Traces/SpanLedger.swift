import Foundation
import NetworkEngine

/// Creates spans from events, as a pure state machine.
struct SpanLedger {
    private var calls: [RequestID: TracedCall] = [:]
    private let random: @Sendable () -> UInt64

    /// - Parameter random: creates the identifiers of spans that were not sent.
    init(random: @escaping @Sendable () -> UInt64) { self.random = random }

    /// Processes a call's event.
    ///
    /// - Returns: the span that ended.
    mutating func add(_ event: NetworkEvent) -> TraceSpan? {
        switch event.kind {
        case .callStarted(let start): calls[event.callID] = TracedCall(start, at: event.moment)
        case .callEnded: calls[event.callID] = nil
        case .attemptStarted: calls[event.callID]?.isRedirected = false
        case .redirected: calls[event.callID]?.isRedirected = true
        case .exchangeStarted(let request):
            calls[event.callID]?.begin(event.exchange, request, at: event.moment, random: random)
        case .exchangeEnded(let end): return calls[event.callID]?.end(event.exchange, end, at: event.moment)
        case .queued: calls[event.callID]?.change(event.exchange) { $0.add("queued", at: event.moment) }
        case .admitted: calls[event.callID]?.change(event.exchange) { $0.add("admitted", at: event.moment) }
        case .connected(let connection): calls[event.callID]?.change(event.exchange) { $0.describe(connection) }
        case .responded(let head): calls[event.callID]?.change(event.exchange) { $0.describe(head, at: event.moment) }
        case .progressed, .cacheAnswered, .attemptEnded, .retryDecided, .refreshStarted, .refreshEnded, .streamEvent,
            .reconnecting, .decoded, .dropped, .bodiesDropped:
            break
        }
        return nil
    }
}

/// A call with its open spans. An object, because a dictionary would copy a value for each change.
private final class TracedCall {
    private let timeline: OpenSpan.Timeline
    private let template: String?
    private let parent: TraceParent?
    /// A span of the trace that the call's exchanges belong to; `nil` before the first exchange.
    private var relative: TraceParent?
    /// The identifiers that are already used.
    private var spanIDs: [String]
    private var exchangeCount = 0
    /// The span is `nil` if the trace is not sampled.
    private var open: [(exchange: Int, span: OpenSpan?)] = []
    /// Whether the exchanges go to a different address than the attempt. The template does not describe it.
    var isRedirected = false

    init(_ start: NetworkEvent.CallStart, at moment: Moment) {
        timeline = OpenSpan.Timeline(date: start.date, moment: moment)
        template = start.template
        parent = TraceParent(in: start.request.headers) ?? start.parent
        relative = parent
        spanIDs = parent.map { [$0.parentID] } ?? []
    }

    func begin(
        _ exchange: Int, _ request: HTTPRequest, at moment: Moment, random: () -> UInt64
    ) {
        let (identity, parentID) = identity(of: request, random)
        var span: OpenSpan?
        if identity.isSampled {
            span = OpenSpan(
                identity, parentID, request, template: isRedirected ? nil : template, resendCount: exchangeCount,
                timeline, at: moment)
        }
        exchangeCount += 1
        open.append((exchange, span))
    }

    func change(_ exchange: Int, _ change: (inout OpenSpan) -> Void) {
        guard let index = open.firstIndex(where: { $0.exchange == exchange }), var span = open[index].span else {
            return
        }
        // Released first, so that the change does not copy its storage.
        open[index].span = nil
        change(&span)
        open[index].span = span
    }

    func end(
        _ exchange: Int, _ end: NetworkEvent.ExchangeEnd, at moment: Moment
    ) -> TraceSpan? {
        guard let index = open.firstIndex(where: { $0.exchange == exchange }) else { return nil }
        var span = open.remove(at: index).span
        return span?.ended(end, at: moment)
    }

    /// The identity that `TraceContext` sent; a new one if the request has none, or has another span's.
    private func identity(
        of request: HTTPRequest, _ random: () -> UInt64
    ) -> (identity: TraceParent, parentID: String?) {
        let sent = TraceParent(in: request.headers)
        let isOwn = sent.map { !spanIDs.contains($0.parentID) } ?? false
        let parent = isOwn ? parent : sent ?? parent
        let identity =
            if isOwn, let sent {
                sent
            } else if let relative = sent ?? relative {
                relative.sibling(random: random)
            } else {
                TraceParent.root(isSampled: true, random: random)
            }
        relative = relative ?? identity
        spanIDs.append(identity.parentID)
        return (identity, parent?.traceID == identity.traceID ? parent?.parentID : nil)
    }
}
