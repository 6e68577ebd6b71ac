/// The engine's hand on one exchange: stops it when no byte has come or gone for too long, or at the call's deadline.
///
/// A byte only notes its time. The timer stays where it was set, and is set anew when it fires too early: an exchange of
/// a million pieces costs as few timers as its time has timeouts.
package struct ExchangeControl: TimerTarget, ExchangeHand {
    /// Whose time was up.
    package enum Interruption: Hashable, Sendable {
        case timeout
        case deadline(isQueued: Bool)
    }

    private enum Phase {
        case running(onInterruption: (@Sendable () -> Void)?)
        case interrupted(Interruption)
        case finished
    }

    private struct State {
        var phase = Phase.running(onInterruption: nil)
        var timeout: Duration?
        var deadline: Duration?
        /// When the last byte came or went; `nil` while that does not matter.
        var latest: Duration?
        /// Whether the exchange has left its queue.
        var hasStarted = false
        /// Whether the response is there and its body still coming: what matters then is how long its reader waits.
        var isStreaming = false
        var timer: TimerHeap.Token?
        /// Counts timers, so that one that has fired before it could be kept is not taken for the next.
        var timers = 0

        /// When the exchange has to stop if nothing happens until then, and why.
        var end: (time: Duration, interruption: Interruption)? {
            guard let latest, let timeout else { return deadline.map { ($0, .deadline(isQueued: !hasStarted)) } }
            if let deadline, deadline <= latest + timeout { return (deadline, .deadline(isQueued: false)) }
            return (latest + timeout, .timeout)
        }
    }

    private let timers: TimerQueue
    private let state: Locked<State>

    /// - Parameters:
    ///   - timeout: how long the exchange may go without a byte, from `startTime()` on.
    ///   - deadline: the moment at which the exchange ends, whether it has started or not.
    package init(timeout: Duration?, deadline: Deadline? = nil, timers: TimerQueue) {
        self.timers = timers
        state = Locked(State(timeout: timeout?.bounded, deadline: deadline?.expiry))
        if deadline != nil { arm() }
    }

    /// Whether the exchange was stopped from here.
    package var isInterrupted: Bool {
        state.withLock { if case .interrupted = $0.phase { true } else { false } }
    }

    /// The exchange has left its queue: from here on silence is limited.
    package func startTime() {
        let now = timers.timebase.now
        state.withLock { ($0.latest, $0.hasStarted, $0.isStreaming) = (now, true, false) }
        arm()
    }

    package func bytesMoved() {
        let now = timers.timebase.now
        state.withLock { if $0.latest != nil { $0.latest = now } }
    }

    package func onInterruption(_ action: @escaping @Sendable () -> Void) {
        let isInterrupted = state.withLock { state in
            switch state.phase {
            case .running:
                state.phase = .running(onInterruption: action)
                return false
            case .interrupted: return true
            case .finished: return false
            }
        }
        if isInterrupted { action() }
    }

    /// Ends the control: nothing is stopped after this.
    ///
    /// - Returns: why the exchange had been stopped before, if it had.
    @discardableResult
    package func finish() -> Interruption? {
        let (timer, interruption) = state.withLock { state -> (TimerHeap.Token?, Interruption?) in
            if case .interrupted(let interruption) = state.phase { return (state.timer.take(), interruption) }
            state.phase = .finished
            return (state.timer.take(), nil)
        }
        if let timer { timers.clear(timer) }
        return interruption
    }

    // MARK: Streamed bodies

    /// The response is there and its body still coming: silence is limited while a reader waits for bytes.
    ///
    /// - Parameters:
    ///   - silence: how long a reader may wait; `nil` for a body that may be quiet for ever.
    ///   - keepsDeadline: whether the body has to come before the deadline, too.
    package func beginStream(silence: Duration?, keepsDeadline: Bool = false) {
        state.withLock { state in
            state.isStreaming = true
            state.timeout = silence?.bounded
            if !keepsDeadline { state.deadline = nil }
        }
        silenceEnded()
    }

    package func silenceBegan() {
        let now = timers.timebase.now
        state.withLock { if $0.isStreaming { $0.latest = now } }
        arm()
    }

    package func silenceEnded() {
        let timer = state.withLock { state -> TimerHeap.Token? in
            guard state.isStreaming else { return nil }
            state.latest = nil
            // The one of a deadline stays, or is at least early enough.
            if state.deadline != nil { return nil }
            state.timers += 1
            return state.timer.take()
        }
        if let timer { timers.clear(timer) }
    }

    package func streamEnded() { finish() }

    // MARK: The timer

    package func timerFired() {
        let now = timers.timebase.now
        let (isEarly, action) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            state.timer = nil
            guard case .running(let action) = state.phase, let end = state.end else { return (false, nil) }
            guard end.time <= now else { return (true, nil) }
            state.phase = .interrupted(end.interruption)
            return (false, action)
        }
        if isEarly { arm() }
        action?()
    }

    /// Sets the timer for the time at which the exchange would have to stop, or moves it there.
    private func arm() {
        let step = state.withLock { state -> (time: Duration, timer: TimerHeap.Token?, number: Int)? in
            guard case .running = state.phase, let end = state.end else { return nil }
            if state.timer == nil { state.timers += 1 }
            return (end.time, state.timer, state.timers)
        }
        guard let step else { return }
        // One that is gone has fired, and is set anew by that.
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
