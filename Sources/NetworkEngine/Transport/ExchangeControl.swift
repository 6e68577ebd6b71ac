/// The engine's hand on one exchange: starts its time and stops it when that is up.
package struct ExchangeControl: AlarmTarget, ExchangeHand {
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
    }

    private let alarms: Alarms
    private let state: Locked<State>

    package init(timeout: Duration?, alarms: Alarms) {
        self.alarms = alarms
        state = Locked(State(timeout: timeout))
    }

    /// Whether the exchange was stopped from here.
    package var isInterrupted: Bool {
        state.withLock { if case .interrupted = $0.phase { true } else { false } }
    }

    /// Starts the time of the exchange; only the first call counts.
    package func startTime() {
        let timeout = state.withLock { state in
            defer { state.timeout = nil }
            return state.timeout
        }
        guard let timeout else { return }
        let alarm = alarms.set(at: alarms.timebase.now + timeout, for: self)
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
    /// - Returns: whether the exchange had been stopped before.
    @discardableResult
    package func finish() -> Bool {
        let (alarm, wasInterrupted) = state.withLock { state in
            defer { state.alarm = nil }
            guard case .running = state.phase else { return (state.alarm, true) }
            state.phase = .finished
            return (state.alarm, false)
        }
        if let alarm { alarms.clear(alarm) }
        return wasInterrupted
    }

    package func alarmFired() {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .running(let action) = state.phase else { return nil }
            state.phase = .interrupted
            return action
        }
        action?()
    }
}
