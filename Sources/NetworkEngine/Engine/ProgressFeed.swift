/// Passes on what is worth telling of a call's progress, by the call's clock.
package struct ProgressFeed: Sendable {
    private let timebase: Timebase
    private let meter = Locked(ProgressMeter())
    private let tell: @Sendable (TransferProgress) -> Void

    package init(timebase: Timebase, tell: @escaping @Sendable (TransferProgress) -> Void) {
        self.timebase = timebase
        self.tell = tell
    }

    package func report(_ progress: TransferProgress) {
        let now = timebase.now
        if let step = meter.withLock({ $0.step(progress, now: now) }) { tell(step) }
    }

    /// The call has succeeded.
    package func finish() {
        let now = timebase.now
        if let step = meter.withLock({ $0.last(now: now) }) { tell(step) }
    }
}
