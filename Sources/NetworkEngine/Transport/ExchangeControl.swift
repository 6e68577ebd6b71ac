/// The engine's hand on one exchange: stops it when no byte has come or gone for too long, or at the call's deadline.
///
/// A byte only notes its time. The alarm stays where it was set, and is set anew when it fires too early: an exchange of
/// a million pieces costs as few alarms as its time has timeouts.
package struct ExchangeControl: AlarmTarget, ExchangeHand {
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
        var alarm: AlarmHeap.Token?
        /// Counts alarms, so that one that has fired before it could be kept is not taken for the next.
        var alarms = 0

        /// When the exchange has to stop if nothing happens until then, and why.
        var end: (time: Duration, interruption: Interruption)? {
            guard let latest, let timeout else { return deadline.map { ($0, .deadline(isQueued: !hasStarted)) } }
            if let deadline, deadline <= latest + timeout { return (deadline, .deadline(isQueued: false)) }
            return (latest + timeout, .timeout)
        }
    }

    private let alarms: Alarms
    private let state: Locked<State>

    /// - Parameters:
    ///   - timeout: how long the exchange may go without a byte, from `startTime()` on.
    ///   - deadline: the moment at which the exchange ends, whether it has started or not.
    package init(timeout: Duration?, deadline: Deadline? = nil, alarms: Alarms) {
        self.alarms = alarms
        state = Locked(State(timeout: timeout?.bounded, deadline: deadline?.expiry))
        if deadline != nil { arm() }
    }

    /// Whether the exchange was stopped from here.
    package var isInterrupted: Bool {
        state.withLock { if case .interrupted = $0.phase { true } else { false } }
    }

    /// The exchange has left its queue: from here on silence is limited.
    package func startTime() {
        let now = alarms.timebase.now
        state.withLock { ($0.latest, $0.hasStarted, $0.isStreaming) = (now, true, false) }
        arm()
    }

    package func bytesMoved() {
        let now = alarms.timebase.now
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
        let (alarm, interruption) = state.withLock { state -> (AlarmHeap.Token?, Interruption?) in
            if case .interrupted(let interruption) = state.phase { return (state.alarm.take(), interruption) }
            state.phase = .finished
            return (state.alarm.take(), nil)
        }
        if let alarm { alarms.clear(alarm) }
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
        let now = alarms.timebase.now
        state.withLock { if $0.isStreaming { $0.latest = now } }
        arm()
    }

    package func silenceEnded() {
        let alarm = state.withLock { state -> AlarmHeap.Token? in
            guard state.isStreaming else { return nil }
            state.latest = nil
            // The one of a deadline stays, or is at least early enough.
            if state.deadline != nil { return nil }
            state.alarms += 1
            return state.alarm.take()
        }
        if let alarm { alarms.clear(alarm) }
    }

    package func streamEnded() { finish() }

    // MARK: The alarm

    package func alarmFired() {
        let now = alarms.timebase.now
        let (isEarly, action) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            state.alarm = nil
            guard case .running(let action) = state.phase, let end = state.end else { return (false, nil) }
            guard end.time <= now else { return (true, nil) }
            state.phase = .interrupted(end.interruption)
            return (false, action)
        }
        if isEarly { arm() }
        action?()
    }

    /// Sets the alarm for the time at which the exchange would have to stop, or moves it there.
    private func arm() {
        let step = state.withLock { state -> (time: Duration, alarm: AlarmHeap.Token?, number: Int)? in
            guard case .running = state.phase, let end = state.end else { return nil }
            if state.alarm == nil { state.alarms += 1 }
            return (end.time, state.alarm, state.alarms)
        }
        guard let step else { return }
        // One that is gone has fired, and is set anew by that.
        if let alarm = step.alarm { return alarms.move(alarm, to: step.time) }
        let alarm = alarms.set(at: step.time, for: self)
        let isStale = state.withLock { state in
            guard case .running = state.phase, state.alarms == step.number else { return true }
            state.alarm = alarm
            return false
        }
        if isStale { alarms.clear(alarm) }
    }
}
