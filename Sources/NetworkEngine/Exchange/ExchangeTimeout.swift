/// Ends one exchange if no bytes are sent or received within the timeout, or when its call's deadline passes.
///
/// A byte only records its time. The timer is not moved, but is set again if it fires too early. Therefore an exchange
/// with a million pieces sets only one timer per timeout interval.
final class ExchangeTimeout: TimerTarget {
    /// The limit that has passed.
    enum Expiry: Hashable, Sendable {
        case timeout
        case deadline(isQueued: Bool)
    }

    private enum Phase {
        case running
        case expired(Expiry)
        case finished
    }

    /// Functions leave the lock as members of a struct, which costs no allocation.
    private struct Actions {
        let first: (@Sendable () -> Void)?
        let others: [@Sendable () -> Void]
    }

    private struct State {
        var phase = Phase.running
        /// The action that ends the exchange. More than one action is rare.
        var onExpiry: (@Sendable () -> Void)?
        var otherActions: [@Sendable () -> Void] = []
        var timeout: Duration?
        var deadline: Duration?
        /// When the last byte was sent or received; `nil` while the timeout is not running.
        var latest: Duration?
        /// Whether the exchange has left its queue.
        var hasStarted = false
        /// Whether the body is streamed. If so, the timeout limits how long the reader waits for bytes.
        var isStreaming = false
        /// The part of the call's time that is running; `nil` for an unmeasured part.
        var part: TimeLedger.Part?
        var isMeasured = true
        var timer: TimerHeap.Token?
        /// Counts timers, so that a timer that fires before its token is stored is not mistaken for the next one.
        var timers = 0

        mutating func takeActions() -> Actions {
            defer { (onExpiry, otherActions) = (nil, []) }
            return Actions(first: onExpiry, others: otherActions)
        }

        /// When the exchange ends if nothing happens until then, and why.
        var end: (time: Duration, expiry: Expiry)? {
            guard let latest, let timeout else { return deadline.map { ($0, .deadline(isQueued: !hasStarted)) } }
            if let deadline, deadline <= latest + timeout { return (deadline, .deadline(isQueued: false)) }
            return (latest + timeout, .timeout)
        }
    }

    private let timers: TimerQueue
    /// The call's deadline, which measures where its time goes.
    private let call: Deadline?
    private let onRestart: (@Sendable () -> Void)?
    private let state: Locked<State>

    /// - Parameters:
    ///   - timeout: the maximum time without any bytes, starting with `start()`.
    ///   - deadline: when the exchange ends, whether it has started or not.
    ///   - call: the call's deadline, even if the exchange does not enforce it.
    ///   - onRestart: performed whenever bytes were sent or received.
    init(
        timeout: Duration?,
        deadline: Deadline? = nil,
        of call: Deadline? = nil,
        timers: TimerQueue,
        onRestart: (@Sendable () -> Void)? = nil
    ) {
        self.timers = timers
        self.call = call
        self.onRestart = onRestart
        state = Locked(State(timeout: timeout?.bounded, deadline: deadline?.expiry))
        spend(on: .permit)
        if deadline != nil { setTimer() }
    }

    /// Whether the timeout or the deadline has ended the exchange.
    var isExpired: Bool {
        state.withLock { if case .expired = $0.phase { true } else { false } }
    }

    /// Whether the exchange has left its queue.
    var hasStarted: Bool { state.withLock { $0.hasStarted } }

    /// Called when the exchange has left its queue. The timeout starts.
    ///
    /// - Parameter part: the part that takes time now.
    func start(_ part: TimeLedger.Part? = .server) {
        let now = timers.timebase.now
        spend(on: part, at: now)
        state.withLock { ($0.latest, $0.hasStarted, $0.isStreaming) = (now, true, false) }
        setTimer()
    }

    /// Called when the exchange waits in a queue. The timeout stops.
    func suspend() {
        spend(on: .permit)
        state.withLock { ($0.latest, $0.hasStarted) = (nil, false) }
    }

    /// Called if the response's head may be held back while its body arrives. Until `start()` only the deadline
    /// applies.
    func hold() { state.withLock { $0.latest = nil } }

    /// Assigns the call's time from here on to another part.
    ///
    /// - Parameter now: the current time, if it has already been read.
    func spend(on part: TimeLedger.Part?, at now: Duration? = nil) {
        guard let call, call.ledger != nil else { return }
        let last = state.withLock { state -> TimeLedger.Part?? in
            guard state.isMeasured else { return nil }
            defer { state.part = part }
            return .some(state.part)
        }
        if let last { call.move(from: last, to: part, at: now) }
    }

    private func endMeasuring() {
        guard let call, call.ledger != nil else { return }
        let last = state.withLock { state -> TimeLedger.Part?? in
            guard state.isMeasured else { return nil }
            state.isMeasured = false
            defer { state.part = nil }
            return .some(state.part)
        }
        if let last { call.move(from: last, to: nil) }
    }

    /// Called when bytes were sent or received. The timeout restarts.
    func restart() {
        let now = timers.timebase.now
        state.withLock { if $0.latest != nil { $0.latest = now } }
        onRestart?()
    }

    /// Registers an action that ends the exchange. Performed once, immediately if a limit has already passed.
    func onExpiry(_ action: @escaping @Sendable () -> Void) {
        let isExpired = state.withLock { state in
            switch state.phase {
            case .running:
                if state.onExpiry == nil { state.onExpiry = action } else { state.otherActions.append(action) }
                return false
            case .expired: return true
            case .finished: return false
            }
        }
        if isExpired { action() }
    }

    /// Called when the exchange is over. No action is performed afterwards.
    ///
    /// - Returns: the limit that had already passed, if any.
    @discardableResult
    func finish() -> Expiry? {
        endMeasuring()
        let (timer, expiry, actions) = state.withLock { state in
            let actions = state.takeActions()
            if case .expired(let expiry) = state.phase { return (state.timer.take(), Expiry?.some(expiry), actions) }
            state.phase = .finished
            return (state.timer.take(), nil, actions)
        }
        if let timer { timers.clear(timer) }
        // Released here, outside the lock, with everything that they hold.
        withExtendedLifetime(actions) {}
        return expiry
    }

    /// The error of an exchange that was ended by a limit.
    ///
    /// - Parameter phase: what the exchange was doing.
    func error(during phase: TransportFailure.TimeoutPhase) -> NetworkError? {
        let (expiry, timeout) = state.withLock { state -> (Expiry?, Duration?) in
            if case .expired(let expiry) = state.phase { (expiry, state.timeout) } else { (nil, nil) }
        }
        switch expiry {
        case nil: return nil
        case .timeout: return .timedOut(after: timeout ?? .zero, during: phase)
        case .deadline(let isQueued): return .deadlinePassed(of: call, isQueued: isQueued)
        }
    }

    // MARK: Streamed bodies

    /// Called when the response was returned and its body is streamed. The timeout runs while the reader waits for
    /// bytes.
    ///
    /// - Parameters:
    ///   - timeout: the maximum time that the reader waits; `nil` for a body that may pause for any time.
    ///   - keepsDeadline: whether the body must also arrive before the deadline.
    func beginStream(timeout: Duration?, keepsDeadline: Bool = false) {
        state.withLock { state in
            state.isStreaming = true
            state.timeout = timeout?.bounded
            if !keepsDeadline { state.deadline = nil }
        }
        if !keepsDeadline { endMeasuring() }
        readerEndedWaiting()
    }

    func readerBeganWaiting() {
        let now = timers.timebase.now
        state.withLock { if $0.isStreaming { $0.latest = now } }
        setTimer()
    }

    func readerEndedWaiting() {
        let timer = state.withLock { state -> TimerHeap.Token? in
            guard state.isStreaming else { return nil }
            state.latest = nil
            // A deadline's timer is kept, or is early enough.
            if state.deadline != nil { return nil }
            state.timers += 1
            return state.timer.take()
        }
        if let timer { timers.clear(timer) }
    }

    // MARK: The timer

    func timerFired() {
        let now = timers.timebase.now
        let (isEarly, actions) = state.withLock { state -> (Bool, Actions?) in
            state.timer = nil
            guard case .running = state.phase, let end = state.end else { return (false, nil) }
            guard end.time <= now else { return (true, nil) }
            state.phase = .expired(end.expiry)
            return (false, state.takeActions())
        }
        if isEarly { setTimer() }
        actions?.first?()
        for action in actions?.others ?? [] { action() }
    }

    /// Sets the timer for the time when the exchange ends, or moves it there.
    private func setTimer() {
        let step = state.withLock { state -> (time: Duration, timer: TimerHeap.Token?, number: Int)? in
            guard case .running = state.phase, let end = state.end else { return nil }
            if state.timer == nil { state.timers += 1 }
            return (end.time, state.timer, state.timers)
        }
        guard let step else { return }
        // A missing timer has fired, and `timerFired()` sets the next one.
        if let timer = step.timer { return timers.move(timer, to: step.time) }
        let timer = timers.set(at: step.time, for: self)
        let isStale = state.withLock { state in
            guard case .running = state.phase, state.timers == step.number else { return true }
            state.timer = timer
            return false
        }
        if isStale { timers.clear(timer) }
    }
}
