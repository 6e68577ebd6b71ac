import NetworkEngine

/// Decides whether the loop polls instead of sleeping when a client makes sequential requests.
///
/// Sleeping and waking up takes longer than a nearby server takes to respond, or its client to send the next request.
/// The delays of the latest responses and requests determine whether the loop polls for the next one. A pure value.
struct AdaptivePolling: Sendable {
    /// How long a wake-up takes on an idle machine.
    static let limit = Duration.microseconds(200)

    /// The event that may come next.
    private enum Next {
        case answer(since: Moment)
        case request(since: Moment)
    }

    /// Whether events of a kind usually arrive soon.
    private struct Trend {
        private static let highest = 4
        /// The number of late events after which the loop stops polling for one.
        private var credit = 1

        var isSoon: Bool { credit > 0 }

        mutating func note(wasSoon: Bool) { credit = wasSoon ? min(credit + 1, Self.highest) : max(credit - 1, 0) }
    }

    private var next: Next?
    private var answers = Trend()
    private var requests = Trend()

    init() {}

    /// A request was passed on at this time. A sleeping loop reads it later.
    mutating func began(at time: Moment) {
        // A request that waited for others was passed on before they ended, so its delay is meaningless.
        if case .request(let start) = next, time - start >= .zero { requests.note(wasSoon: time - start < Self.limit) }
        next = nil
    }

    /// A request was sent, and no other request is running.
    mutating func sentAlone(at now: Moment) { next = .answer(since: now) }

    /// The last running request has ended.
    mutating func endedLast(at now: Moment) {
        if case .answer(let start) = next { answers.note(wasSoon: now - start < Self.limit) }
        next = .request(since: now)
    }

    /// Whether to poll.
    func isOn(at now: @autoclosure () -> Moment) -> Bool {
        switch next {
        case nil: false
        case .answer(let start): answers.isSoon && now() - start < Self.limit
        case .request(let start): requests.isSoon && now() - start < Self.limit
        }
    }
}
