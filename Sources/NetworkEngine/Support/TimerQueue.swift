/// One heap of timers and one sleeping task for any number of requests.
///
/// A task for each timer would cost more than everything else in a request. Therefore all timers share one sleeper that
/// waits for the earliest. Setting and clearing a timer pushes to and removes from an indexed heap. This allocates
/// nothing once the heap has grown, and leaves nothing behind.
///
/// The owner calls `stop()` at the end. A `deinit` would require a weak reference in the sleeper, and a weak reference
/// slows down every retain and release of its object. Streams outlive their provider: their timers can be set before
/// and after `stop()`.
package struct TimerQueue: Sendable {
    package let timebase: Timebase
    private let state = Locked(State())

    package init(timebase: Timebase) {
        self.timebase = timebase
    }

    /// Stops an idle sleeper now and later. Timers still fire, and can still be set.
    package func stop() {
        let idle = state.withLock { state in
            state.isStopped = true
            return state.takeIdleSleeper()
        }
        idle?.task?.cancel()
    }

    /// Sets a timer for the given time of the timebase.
    func set(at time: Duration, for target: any TimerTarget) -> TimerHeap.Token {
        let (token, mustWake) = state.withLock { state in
            let token = state.heap.insert(at: time, target)
            let isEarlier = state.sleeper.map { time < $0.until } ?? true
            return (token, isEarlier)
        }
        if mustWake { rearm() }
        return token
    }

    /// Changes a timer's time, unless it has expired or been removed.
    func move(_ token: TimerHeap.Token, to time: Duration) {
        let mustWake = state.withLock { state in
            state.heap.move(token, to: time)
            return state.sleeper.map { time < $0.until } ?? !state.heap.isEmpty
        }
        if mustWake { rearm() }
    }

    /// Removes a timer.
    func clear(_ token: TimerHeap.Token) {
        let idle = state.withLock { state -> Sleeper? in
            state.heap.remove(token)
            return state.isStopped || !timebase.isWallBound ? state.takeIdleSleeper() : nil
        }
        idle?.task?.cancel()
    }

    /// Replaces a sleeper that would wake too late.
    private func rearm() {
        let number = state.withLock { state -> (old: Sleeper?, new: Int, until: Duration)? in
            guard let earliest = state.heap.earliest, state.sleeper.map({ earliest < $0.until }) ?? true else {
                return nil
            }
            let old = state.sleeper
            state.count += 1
            state.sleeper = Sleeper(number: state.count, until: earliest, task: nil)
            return (old, state.count, earliest)
        }
        guard let number else { return }
        number.old?.task?.cancel()
        let task = Task.detached { [self] in
            // A canceled sleeper was replaced, and another one has already been started.
            guard (try? await timebase.sleep(until: number.until)) != nil else { return }
            wake(number.new)
        }
        let isCurrent = state.withLock { state in
            guard state.sleeper?.number == number.new else { return false }
            state.sleeper?.task = task
            return true
        }
        if !isCurrent { task.cancel() }
    }

    private func wake(_ number: Int) {
        let isCurrent = state.withLock { state in
            guard state.sleeper?.number == number else { return false }
            state.sleeper = nil
            return true
        }
        guard isCurrent else { return }
        let now = timebase.now
        let due = state.withLock { $0.heap.removeDue(at: now) }
        for target in due { target.timerFired() }
        rearm()
    }

    private struct Sleeper {
        let number: Int
        let until: Duration
        var task: Task<Void, Never>?
    }

    private struct State {
        var heap = TimerHeap()
        var sleeper: Sleeper?
        var count = 0
        var isStopped = false

        /// The sleeper, if no timer is set.
        mutating func takeIdleSleeper() -> Sleeper? {
            guard heap.isEmpty else { return nil }
            defer { sleeper = nil }
            return sleeper
        }
    }
}
