/// Monotonic time as a plain duration since a start, read from whatever clock was injected.
///
/// `any Clock<Duration>` hides its instants; this reads the clock once at the start and measures from there, so that
/// deadlines can be compared and subtracted.
package final class Timebase: Sendable {
    /// Whether waiting costs real time; a timer may then be left armed past its last use instead of being cancelled.
    package let isWallBound: Bool
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    private init<C: Clock>(reading clock: C) where C.Duration == Duration {
        let start = clock.now
        let isWallBound = clock is ContinuousClock || clock is SuspendingClock
        self.isWallBound = isWallBound
        elapsed = { start.duration(to: clock.now) }
        wait = { target in
            let target = max(.zero, target).bounded
            // No timer of the system is asked for more than a day.
            while isWallBound, target - start.duration(to: clock.now) > .seconds(86_400) {
                try await clock.sleep(until: clock.now.advanced(by: .seconds(86_400)), tolerance: nil)
            }
            try await clock.sleep(until: start.advanced(by: target), tolerance: nil)
        }
    }

    /// Time since the timebase was made.
    package var now: Duration { elapsed() }

    /// Sleeps until the given reading of `now`.
    package func sleep(until target: Duration) async throws {
        try await wait(target)
    }

    /// Sleeps for the given time.
    package func sleep(for duration: Duration) async throws {
        try await wait(now + duration.bounded)
    }

    /// Starts measuring on a clock.
    package static func reading(_ clock: any Clock<Duration>) -> Timebase {
        func open<C: Clock>(_ clock: C) -> Timebase where C.Duration == Duration { Timebase(reading: clock) }
        return open(clock)
    }
}
