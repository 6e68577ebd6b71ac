/// Decides whether the loop polls instead of sleeping, when one client makes one request after the other.
///
/// To sleep and be woken takes longer than a nearby server takes to answer, or its client to send the next request. The
/// delays of the last answers and requests decide whether the loop waits for the next one. A pure value.
/// slower is not waited for: how soon the last answers and the last requests came decides. Pure.
package struct AdaptivePolling: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// The time that a wake-up takes on an idle machine.
    package static let limit = Duration.microseconds(200)

    /// The event that may come next.
    private enum Next {
        case answer(since: Instant)
        case request(since: Instant)
    }

    /// The number of late events after which the loop stops polling for one.
    private struct Hope {
        private static let highest = 4
        private var left = 1

        var isThere: Bool { left > 0 }

        mutating func note(wasSoon: Bool) { left = wasSoon ? min(left + 1, Self.highest) : max(left - 1, 0) }
    }

    private var next: Next?
    private var answers = Hope()
    private var requests = Hope()

    package init() {}

    /// A request was passed on at this time. A sleeping loop reads it later.
    package mutating func began(at time: Instant) {
        if case .request(let start) = next { requests.note(wasSoon: time - start < Self.limit) }
        next = nil
    }

    /// A request was sent, and no other request runs.
    package mutating func sentAlone(at now: Instant) { next = .answer(since: now) }

    /// The last running request has ended.
    package mutating func endedLast(at now: Instant) {
        if case .answer(let start) = next { answers.note(wasSoon: now - start < Self.limit) }
        next = .request(since: now)
    }

    /// Whether to poll.
    package func isOn(at now: @autoclosure () -> Instant) -> Bool {
        switch next {
        case nil: false
        case .answer(let start): answers.isThere && now() - start < Self.limit
        case .request(let start): requests.isThere && now() - start < Self.limit
        }
    }
}
