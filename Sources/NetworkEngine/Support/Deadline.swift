/// The moment at which a call's time is up.
package struct Deadline: Sendable {
    package let timebase: Timebase
    /// The reading of the timebase at that moment.
    package let expiry: Duration

    package init(in duration: Duration, on timebase: Timebase) {
        self.timebase = timebase
        self.expiry = timebase.now + duration.bounded
    }

    /// What is left until then, never below zero.
    package var timeLeft: Duration { max(.zero, expiry - timebase.now) }
}
