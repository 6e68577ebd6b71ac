/// The engine's hand on one exchange: starts its time and stops it when that is up.
package struct ExchangeControl: AlarmTarget, ExchangeHand {
    /// Whose time was up.
    package enum Interruption: Sendable { case timeout, deadline }

    private enum Phase {
        case running(onInterruption: (@Sendable () -> Void)?)
        case interrupted
        case finished
    }

    private struct State {
        var phase = Phase.running(onInterruption: nil)
        var alarm: AlarmHeap.Token?
        /// Taken when the time starts.
        var timeout: Duration?
        let deadline: Duration?
        /// What the alarm stands for.
        var cause = Interruption.deadline
        /// How long the reader of a streamed body may wait; set when the response is returned before its body.
        var silence: Duration?
    }

    private let alarms: Alarms
    private let state: Locked<State>

    /// - Parameters:
    ///   - timeout: runs from `startTime()`.
    ///   - deadline: the moment at which the exchange ends whether its time has started or not.
    package init(timeout: Duration?, deadline: Deadline? = nil, alarms: Alarms) {
        self.alarms = alarms
        state = Locked(State(timeout: timeout, deadline: deadline?.expiry))
        if let deadline { setAlarm(at: deadline.expiry) }
    }

    /// Whether the exchange was stopped from here.
    package var isInterrupted: Bool {
        state.withLock { if case .interrupted = $0.phase { true } else { false } }
    }

    /// Starts the time of the exchange; only the first call counts.
    package func startTime() {
        let now = alarms.timebase.now
        let (end, alarm) = state.withLock { state -> (Duration?, AlarmHeap.Token?) in
            guard let timeout = state.timeout else { return (nil, nil) }
            state.timeout = nil
            if let deadline = state.deadline, deadline <= now + timeout { return (nil, nil) }
            state.cause = .timeout
            return (now + timeout, state.alarm)
        }
        guard let end else { return }
        if let alarm { alarms.move(alarm, to: end) } else { setAlarm(at: end) }
    }

    private func setAlarm(at end: Duration) {
        let alarm = alarms.set(at: end, for: self)
        let isTooLate = state.withLock { state in
            if case .finished = state.phase { return true }
            state.alarm = alarm
            return false
        }
        if isTooLate { alarms.clear(alarm) }
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
        let (alarm, interruption) = state.withLock { state -> (AlarmHeap.Token?, Interruption?) in
            defer { state.alarm = nil }
            guard case .running = state.phase else { return (state.alarm, state.cause) }
            state.phase = .finished
            return (state.alarm, nil)
        }
        if let alarm { alarms.clear(alarm) }
        return interruption
    }

    /// The response is there and its body still coming: from here on only silence is limited, if anything.
    package func beginStream(silence: Duration?) {
        let alarm = state.withLock { state in
            state.silence = silence
            state.cause = .timeout
            return state.alarm.take()
        }
        if let alarm { alarms.clear(alarm) }
    }

    package func silenceBegan() {
        guard let silence = state.withLock({ $0.silence }) else { return }
        setAlarm(at: alarms.timebase.now + silence)
    }

    package func silenceEnded() {
        if let alarm = state.withLock({ $0.alarm.take() }) { alarms.clear(alarm) }
    }

    package func streamEnded() { finish() }

    package func alarmFired() {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .running(let action) = state.phase else { return nil }
            state.phase = .interrupted
            return action
        }
        action?()
    }
}
