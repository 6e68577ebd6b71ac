/// The monotonic time of an injected clock, as a duration since a start.
///
/// `any Clock<Duration>` hides its instants. Durations since a common start can be compared and subtracted.
package final class Timebase: Sendable {
    /// Whether waiting takes real time. If so, a timer can remain armed after its last use.
    let isWallBound: Bool
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    private init<C: Clock>(reading clock: C) where C.Duration == Duration {
        let start = clock.now
        let isWallBound = clock is ContinuousClock || clock is SuspendingClock
        self.isWallBound = isWallBound
        // Each byte of an exchange reads the time, and calling an unknown clock costs more than reading a known one.
        if clock is ContinuousClock, let start = start as? ContinuousClock.Instant {
            let start = Moment(start)
            elapsed = { Moment.now - start }
        } else {
            elapsed = { start.duration(to: clock.now) }
        }
        wait = { target in
            let target = max(.zero, target).bounded
            // System timers never run for more than a day.
            while isWallBound, target - start.duration(to: clock.now) > .seconds(86_400) {
                try await clock.sleep(until: clock.now.advanced(by: .seconds(86_400)), tolerance: nil)
            }
            try await clock.sleep(until: start.advanced(by: target), tolerance: nil)
        }
    }

    /// A timebase on which no time passes.
    static let standing = Timebase()

    private init() {
        isWallBound = false
        elapsed = { .zero }
        wait = { _ in throw CancellationError() }
    }

    /// The time since the start.
    package var now: Duration { elapsed() }

    /// Sleeps until `now` reaches the given time.
    package func sleep(until target: Duration) async throws {
        try await wait(target)
    }

    /// Sleeps for the given time.
    package func sleep(for duration: Duration) async throws {
        try await wait(now + duration.bounded)
    }

    /// Creates a timebase that starts now.
    package static func reading(_ clock: any Clock<Duration>) -> Timebase {
        func open<C: Clock>(_ clock: C) -> Timebase where C.Duration == Duration { Timebase(reading: clock) }
        return open(clock)
    }
}

extension Duration {
    /// The duration, limited to a hundred years in both directions.
    ///
    /// Clocks and multiplications trap on durations near the maximum. Every duration from a caller is limited before
    /// use.
    package var bounded: Duration { min(max(self, .zero - .longest), .longest) }

    private static let longest = Duration.seconds(36_600 * 86_400 as Int64)
}

extension Duration {
    /// The seconds, with fractions. Computed from the components, because dividing durations costs ten times as much.
    ///
    /// At most a hundred years: the components of the longest durations do not fit into their types.
    package var inSeconds: Double {
        let parts = bounded.components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }
}

extension Duration {
    /// A fraction of the duration, between 0 and 1; exact if the fraction has few binary digits.
    func scaled(by fraction: Double) -> Duration {
        let steps = Int64(1) << 32
        let part = fraction.isNaN ? 0 : Int64(min(max(fraction, 0), 1) * Double(steps))
        return bounded * part / steps
    }
}

/// A point in time of the continuous clock.
///
/// On Linux the layout of `ContinuousClock.Instant` is unknown at compile time. The runtime copies each value that
/// contains one, which costs more than reading the clock.
package struct Moment: Comparable, Sendable {
    private let time: Duration

    private static let start = ContinuousClock.now

    /// - Parameter time: the time since an arbitrary start, which is the same for all moments of a process.
    init(_ time: Duration) { self.time = time }

    init(_ instant: ContinuousClock.Instant) { time = Self.start.duration(to: instant) }

    var instant: ContinuousClock.Instant { Self.start.advanced(by: time) }

    package static var now: Moment { Moment(start.duration(to: .now)) }

    package static func - (end: Moment, start: Moment) -> Duration { end.time - start.time }

    package static func + (start: Moment, duration: Duration) -> Moment { Moment(start.time + duration) }

    package static func < (left: Moment, right: Moment) -> Bool { left.time < right.time }
}
