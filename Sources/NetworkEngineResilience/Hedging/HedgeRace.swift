/// Decides which of two equal requests supplies the result of a call; a pure state machine.
struct HedgeRace: Sendable {
    enum Runner: Int, Sendable, CaseIterable { case primary, hedge }

    enum Action: Hashable, Sendable {
        case wait
        /// Send the second request if the budget allows it.
        case startHedge
        /// End the call with this request's result.
        case finish(Runner)
    }

    private enum State: Sendable { case notStarted, running, failed }

    private var primary = State.running
    private var hedge = State.notStarted
    private var isOffered = false
    private var isDecided = false

    init() {}

    /// Whether both requests are still running.
    var isRunningBoth: Bool { primary == .running && hedge == .running }

    /// The first request's delay has passed.
    mutating func delayPassed() -> Action { offer() }

    /// The second request was started, or the budget did not allow it.
    mutating func hedgeStarted(_ isStarted: Bool) -> Action {
        if isStarted { hedge = .running }
        return !isStarted && primary == .failed ? finish(.primary) : .wait
    }

    /// A request has succeeded.
    mutating func succeeded(_ runner: Runner) -> Action { finish(runner) }

    /// A request has failed.
    ///
    /// - Parameter isTemporary: whether a second request can succeed.
    mutating func failed(_ runner: Runner, isTemporary: Bool = true) -> Action {
        switch runner {
        case .primary: primary = .failed
        case .hedge: hedge = .failed
        }
        switch (primary, hedge) {
        case (.failed, .failed): return finish(.primary)
        case (.failed, .notStarted): return isOffered || !isTemporary ? finish(.primary) : offer()
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

/// How many extra requests a share of all requests allows; a pure value.
struct HedgeBudget: Sendable {
    /// In thousandths, so that sums are exact.
    private let share: Int
    private var saved = 0

    /// - Parameter extraLoad: the share of requests that can be sent twice, from 0 to 1.
    init(extraLoad: Double) {
        share = extraLoad.isNaN ? 0 : Int(min(max(extraLoad, 0), 1) * 1000)
    }

    /// Adds a request's share.
    mutating func earn() { saved = min(10_000, saved + share) }

    /// Takes back the share of a request that was not sent.
    mutating func giveBack() { saved = max(0, saved - share) }

    /// Pays for an extra request; returns `false` if the savings are too small.
    mutating func spend() -> Bool {
        guard saved >= 1000 else { return false }
        saved -= 1000
        return true
    }
}
