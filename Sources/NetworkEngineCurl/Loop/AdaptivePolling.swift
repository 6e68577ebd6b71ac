/// Whether the loop stays awake for what comes next, when there is nobody but one who makes one request after the other.
///
/// Falling asleep and being woken takes longer than a server nearby takes to answer, or its client to ask again. Whoever is
/// slower is not waited for: how soon the last answers and the last requests came decides. Pure.
package struct AdaptivePolling: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// As long as being woken takes, on a machine with nothing else to do.
    package static let limit = Duration.microseconds(200)

    /// What may come next.
    private enum Next {
        case answer(since: Instant)
        case request(since: Instant)
    }

    /// How many more times something may come late before nobody waits for it.
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

    /// A request was handed over at this time; whoever slept reads it later.
    package mutating func began(at time: Instant) {
        if case .request(let start) = next { requests.note(wasSoon: time - start < Self.limit) }
        next = nil
    }

    /// A request was sent, and no other is running.
    package mutating func sentAlone(at now: Instant) { next = .answer(since: now) }

    /// The last request that was running has ended.
    package mutating func endedLast(at now: Instant) {
        if case .answer(let start) = next { answers.note(wasSoon: now - start < Self.limit) }
        next = .request(since: now)
    }

    /// Whether to stay awake.
    package func isOn(at now: @autoclosure () -> Instant) -> Bool {
        switch next {
        case nil: false
        case .answer(let start): answers.isThere && now() - start < Self.limit
        case .request(let start): requests.isThere && now() - start < Self.limit
        }
    }
}
