/// Whether the loop stays awake for the next request.
///
/// Who makes one request after the other makes the next as soon as the last has ended, and falling asleep and being woken
/// takes longer than that. Whoever is slower is not waited for: how soon the last requests came decides. Pure.
package struct CurlVigil: Sendable {
    /// As long as being woken takes, on a machine with nothing else to do.
    package static let limit = Duration.microseconds(200)
    private static let highest = 4

    /// When the last exchange ended, until a request comes.
    private var end: ContinuousClock.Instant?
    /// How many more requests may come late before nobody waits for the next.
    private var hope = 1

    package init() {}

    /// An exchange ended, and hardly another is running.
    package mutating func ended(at now: ContinuousClock.Instant) { end = now }

    /// A request came.
    package mutating func began(at now: @autoclosure () -> ContinuousClock.Instant) {
        guard let end else { return }
        hope = now() - end < Self.limit ? min(hope + 1, Self.highest) : max(hope - 1, 0)
        self.end = nil
    }

    /// Whether to stay awake.
    package func isOn(at now: @autoclosure () -> ContinuousClock.Instant) -> Bool {
        guard let end, hope > 0 else { return false }
        return now() - end < Self.limit
    }
}
