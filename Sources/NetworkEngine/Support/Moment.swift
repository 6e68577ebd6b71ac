/// A point in time of the continuous clock.
///
/// On Linux the layout of `ContinuousClock.Instant` is not known at compile time. The runtime copies each value that
/// contains one, which costs more than to read the clock.
package struct Moment: Comparable, Sendable {
    private let time: Duration

    private static let start = ContinuousClock.now

    /// - Parameter time: the time since an arbitrary start, which all moments of a process have in common.
    package init(_ time: Duration) { self.time = time }

    package init(_ instant: ContinuousClock.Instant) { time = Self.start.duration(to: instant) }

    package var instant: ContinuousClock.Instant { Self.start.advanced(by: time) }

    package static var now: Moment { Moment(start.duration(to: .now)) }

    package static func - (end: Moment, start: Moment) -> Duration { end.time - start.time }

    package static func + (start: Moment, duration: Duration) -> Moment { Moment(start.time + duration) }

    package static func < (left: Moment, right: Moment) -> Bool { left.time < right.time }
}
