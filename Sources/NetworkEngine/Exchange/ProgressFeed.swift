/// Delivers selected progress reports of a call, one at a time, using the call's clock.
package struct ProgressFeed: TimerTarget {
    private struct State {
        var meter = ProgressMeter()
        /// The reports that have not been delivered yet.
        var queue: [TransferProgress] = []
        var isTelling = false
        var timer: TimerHeap.Token?
        var isArmed = false
        var hasEnded = false
    }

    private let timers: TimerQueue
    private let state = Locked(State())
    private let direction: TransferProgress.Direction?
    private let tell: @Sendable (TransferProgress) -> Void

    /// - Parameter direction: the direction to report; by default both.
    init(
        timers: TimerQueue,
        direction: TransferProgress.Direction? = nil,
        tell: @escaping @Sendable (TransferProgress) -> Void
    ) {
        self.timers = timers
        self.direction = direction
        self.tell = tell
    }

    func report(_ progress: TransferProgress) {
        guard direction == nil || progress.direction == direction else { return }
        let now = timers.timebase.now
        let due = state.withLock { state -> Duration? in
            guard !state.hasEnded else { return nil }
            if let step = state.meter.step(progress, now: now) { state.queue.append(step) }
            guard !state.isArmed, let due = state.meter.due else { return nil }
            state.isArmed = true
            return due
        }
        if let due { arm(at: due) }
        tellQueue()
    }

    /// Delivers held reports. Otherwise the last report before a silence would be lost.
    package func timerFired() {
        let now = timers.timebase.now
        state.withLock { state in
            (state.isArmed, state.timer) = (false, nil)
            guard !state.hasEnded else { return }
            state.queue += state.meter.heldBack(now: now)
        }
        tellQueue()
    }

    /// Called when the call is over.
    func end(withSuccess isSuccess: Bool) {
        let now = timers.timebase.now
        let timer = state.withLock { state in
            if isSuccess, !state.hasEnded, let step = state.meter.last(now: now) { state.queue.append(step) }
            state.hasEnded = true
            return state.timer.take()
        }
        if let timer { timers.clear(timer) }
        tellQueue()
    }

    private func arm(at due: Duration) {
        let timer = timers.set(at: due, for: self)
        let isOver = state.withLock { state in
            if state.hasEnded { return true }
            if state.isArmed { state.timer = timer }
            return false
        }
        if isOver { timers.clear(timer) }
    }

    /// Delivers from one thread at a time, so that an older report never follows a newer one.
    private func tellQueue() {
        guard begin() else { return }
        while let step = next() { tell(step) }
    }

    private func begin() -> Bool {
        state.withLock { state in
            guard !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
    }

    private func next() -> TransferProgress? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isTelling = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}
