/// What is known of one request that was sent twice, and what to do about it; pure.
package struct HedgeRace: Sendable {
    package enum Runner: Int, Sendable, CaseIterable { case primary, hedge }

    package enum Action: Hashable, Sendable {
        case wait
        /// Send it a second time, if there is budget for that.
        case startHedge
        /// It is decided: this one's answer or error is the call's.
        case finish(Runner)
    }

    private enum State: Sendable { case notStarted, running, failed }

    private var primary = State.running
    private var hedge = State.notStarted
    private var isOffered = false
    private var isDecided = false

    package init() {}

    /// The first one has taken long enough.
    package mutating func delayPassed() -> Action { offer() }

    /// There was a budget for a second one, or there was not.
    package mutating func hedgeStarted(_ isStarted: Bool) -> Action {
        if isStarted { hedge = .running }
        return !isStarted && primary == .failed ? finish(.primary) : .wait
    }

    /// One of them has an answer that is good.
    package mutating func succeeded(_ runner: Runner) -> Action { finish(runner) }

    /// One of them has failed.
    ///
    /// - Parameter mayPass: whether a second try could end otherwise.
    package mutating func failed(_ runner: Runner, mayPass: Bool = true) -> Action {
        switch runner {
        case .primary: primary = .failed
        case .hedge: hedge = .failed
        }
        switch (primary, hedge) {
        case (.failed, .failed): return finish(.primary)
        case (.failed, .notStarted): return isOffered || !mayPass ? finish(.primary) : offer()
        default: return .wait
        }
    }

    private mutating func offer() -> Action {
        guard !isOffered, !isDecided else { return .wait }
        isOffered = true
        return .startHedge
    }

    private mutating func finish(_ runner: Runner) -> Action {
        guard !isDecided else { return .wait }
        isDecided = true
        return .finish(runner)
    }
}
