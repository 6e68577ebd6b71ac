/// Whether a host is asked at all, by what came of asking it lately; pure.
package struct CircuitStateMachine: Sendable {
    package struct Limits: Sendable {
        package var failureRatio = 0.5
        package var minimumCalls = 20
        package var window: Duration = .seconds(30)
        package var breakTime: Duration = .seconds(5)
        package var probeTime: Duration = .seconds(30)

        package init() {}
    }

    /// The right to make a call; what comes of it counts only while nothing has changed.
    package struct Permit: Hashable, Sendable {
        package let generation: Int
        package let isProbe: Bool
    }

    package enum Outcome: Sendable, CaseIterable {
        case success, failure
        /// Says nothing about the host.
        case cancelled
    }

    private enum Phase: Sendable {
        case closed
        case open(until: Duration)
        /// One call finds out; if it does not come back, another may at that time.
        case halfOpen(probeUntil: Duration?)
        case isolated
    }

    private let limits: Limits
    private var phase = Phase.closed
    private var generation = 0
    private var tally: CallTally

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
        tally = CallTally(window: limits.window)
    }

    package var state: CircuitState {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        case .isolated: .isolated
        }
    }

    /// Whether there is nothing to remember, or what there is has been of no interest to anybody for long.
    package func isIdle(at now: Duration) -> Bool {
        switch phase {
        case .closed: tally.isEmpty(at: now)
        case .open(let end): now >= end + limits.window
        case .halfOpen(let end): end.map { now >= $0 + limits.window } ?? false
        case .isolated: false
        }
    }

    /// A permit, or how long to stay away; `nil` in that place when only a person knows.
    package mutating func enter(at now: Duration) -> Result<Permit, CircuitOpen> {
        switch phase {
        case .closed: return .success(Permit(generation: generation, isProbe: false))
        case .isolated: return .failure(CircuitOpen(retryAfter: nil))
        case .open(let end) where now < end: return .failure(CircuitOpen(retryAfter: end - now))
        case .halfOpen(let end?) where now < end: return .failure(CircuitOpen(retryAfter: end - now))
        case .open, .halfOpen:
            generation += 1
            phase = .halfOpen(probeUntil: now + limits.probeTime)
            return .success(Permit(generation: generation, isProbe: true))
        }
    }

    /// What came of a call.
    package mutating func left(_ permit: Permit, _ outcome: Outcome, at now: Duration) {
        guard permit.generation == generation else { return }
        switch (phase, outcome) {
        case (.closed, .cancelled), (.open, _), (.isolated, _): break
        case (.closed, _):
            tally.add(isFailure: outcome == .failure, at: now)
            guard outcome == .failure else { return }
            let (calls, failures) = tally.counts(at: now)
            let isBroken = calls >= limits.minimumCalls && Double(failures) >= limits.failureRatio * Double(calls)
            if isBroken { change(to: .open(until: now + limits.breakTime)) }
        case (.halfOpen, .cancelled): phase = .halfOpen(probeUntil: nil)
        case (.halfOpen, .success): change(to: .closed)
        case (.halfOpen, .failure): change(to: .open(until: now + limits.breakTime))
        }
    }

    /// Opens until told otherwise.
    package mutating func isolate() { change(to: .isolated) }

    /// Begins anew.
    package mutating func reset() { change(to: .closed) }

    private mutating func change(to new: Phase) {
        phase = new
        generation += 1
        tally = CallTally(window: limits.window)
    }
}
