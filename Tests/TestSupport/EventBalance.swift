package import NetworkEngine

/// Checks that the events of calls are balanced, nested and in order.
package struct EventBalance {
    private struct Call {
        var last: ContinuousClock.Instant
        var attempts = 0
        var isAttemptOpen = false
        var exchanges = 0
        var open: [Int] = []
        var responded: [Int] = []
        var refreshes = 0
    }

    private var calls: [RequestID: Call] = [:]
    private var ended: Set<RequestID> = []
    package private(set) var faults: [String] = []
    package private(set) var droppedCalls = 0
    /// The number of events of each kind.
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    package var endedCalls: Int { ended.count }
    package var openCalls: [RequestID] { Array(calls.keys) }

    package mutating func add(_ event: NetworkEvent) {
        counts[event.kind.name, default: 0] += 1
        if case .dropped(let calls) = event.kind { return droppedCalls += calls }
        if case .bodiesDropped = event.kind { return }
        if case .callStarted = event.kind { return start(event) }
        guard var call = calls[event.callID] else {
            return fault(event, ended.contains(event.callID) ? "comes after the end" : "comes before the start")
        }
        if event.instant < call.last { fault(event, "is out of order") }
        call.last = event.instant
        if event.attempt != call.attempts + (event.startsAttempt ? 1 : 0) { fault(event, "has a wrong attempt") }
        check(event, &call)
        calls[event.callID] = event.endsCall ? nil : call
        if event.endsCall { ended.insert(event.callID) }
    }

    private mutating func start(_ event: NetworkEvent) {
        if calls[event.callID] != nil || ended.contains(event.callID) { fault(event, "comes twice") }
        if event.attempt != 0 || event.exchange != 0 { fault(event, "belongs to an attempt") }
        calls[event.callID] = Call(last: event.instant)
    }

    private mutating func check(_ event: NetworkEvent, _ call: inout Call) {
        switch event.kind {
        case .attemptStarted:
            if call.isAttemptOpen { fault(event, "comes inside an attempt") }
            (call.attempts, call.isAttemptOpen) = (call.attempts + 1, true)
        case .attemptEnded:
            if !call.isAttemptOpen { fault(event, "comes without an attempt") }
            if !call.open.isEmpty { fault(event, "comes before the end of an exchange") }
            if call.refreshes != 0 { fault(event, "comes before the end of a refresh") }
            call.isAttemptOpen = false
        case .exchangeStarted:
            if !call.isAttemptOpen { fault(event, "comes without an attempt") }
            if event.exchange != call.exchanges + 1 { fault(event, "has a wrong exchange") }
            call.exchanges += 1
            call.open.append(event.exchange)
        case .exchangeEnded(let end):
            checkExchange(event, call)
            call.open.removeAll { $0 == event.exchange }
            let hasSucceeded = end.result.kind == nil
            if hasSucceeded, !call.responded.contains(event.exchange) { fault(event, "comes without a head") }
        case .responded:
            checkExchange(event, call)
            call.responded.append(event.exchange)
        case .queued, .admitted, .connected, .progressed: checkExchange(event, call)
        case .redirected:
            if !call.isAttemptOpen { fault(event, "comes without an attempt") }
        case .retryDecided:
            if call.isAttemptOpen { fault(event, "comes inside an attempt") }
        case .refreshStarted: call.refreshes += 1
        case .refreshEnded:
            call.refreshes -= 1
            if call.refreshes < 0 { fault(event, "comes without a start") }
        case .callEnded(let end):
            if call.isAttemptOpen { fault(event, "comes inside an attempt") }
            if call.refreshes != 0 { fault(event, "comes before the end of a refresh") }
            if end.attempts != call.attempts { fault(event, "has a wrong number of attempts") }
        case .callStarted, .cacheAnswered, .streamEvent, .reconnecting, .decoded, .dropped, .bodiesDropped: break
        }
    }

    private mutating func checkExchange(_ event: NetworkEvent, _ call: Call) {
        if !call.open.contains(event.exchange) { fault(event, "comes without an exchange") }
    }

    private mutating func fault(_ event: NetworkEvent, _ text: String) {
        if faults.count < 20 { faults.append("\(event) \(text)") }
    }
}

extension NetworkEvent {
    fileprivate var startsAttempt: Bool { if case .attemptStarted = kind { true } else { false } }
    fileprivate var endsCall: Bool { if case .callEnded = kind { true } else { false } }
}
