/// The time when a call must end.
package struct Deadline: Sendable {
    let timebase: Timebase
    /// The timebase's time at the deadline.
    package let expiry: Duration
    /// Measures where the time until the deadline goes; `nil` for a deadline that does not belong to a call.
    let ledger: TimeLedger?

    package init(in duration: Duration, on timebase: Timebase) {
        self.timebase = timebase
        expiry = timebase.now + duration.bounded
        ledger = nil
    }

    /// The deadline of a call that starts now.
    init(ofCallIn duration: Duration, on timebase: Timebase) {
        let now = timebase.now
        self.timebase = timebase
        expiry = now + duration.bounded
        ledger = TimeLedger(from: now)
    }

    /// A deadline that is always this far away.
    init(alwaysIn duration: Duration) {
        self.init(in: duration, on: .standing)
    }

    /// The time until the deadline, at least zero.
    package var timeLeft: Duration { max(.zero, expiry - timebase.now) }
}

extension Deadline {
    /// Moves an exchange from one part of the call's time to another.
    ///
    /// - Parameter now: the current time, if it has already been read.
    package func move(from old: TimeLedger.Part?, to new: TimeLedger.Part?, at now: Duration? = nil) {
        if old != new, let ledger { ledger.move(from: old, to: new, at: now ?? timebase.now) }
    }

    /// Where the time has gone so far; `nil` for a deadline that does not measure it.
    package var timeSpent: TimeSpent? { ledger?.spent(at: timebase.now).0 }

    /// Whether the call is in one of this process's queues, and no exchange is running.
    var isInQueue: Bool {
        switch ledger?.spent(at: timebase.now).current {
        case .queue, .permit: true
        case .connect, .server, nil: false
        }
    }
}
