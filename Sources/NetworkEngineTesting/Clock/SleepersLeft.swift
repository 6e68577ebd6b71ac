/// Somebody still slept on a test clock when nobody should.
public struct SleepersLeft: Error, Equatable, CustomStringConvertible {
    /// Where the clock stood, as time since its start.
    public let now: Duration
    /// When each of the sleepers would have woken, earliest first.
    public let deadlines: [Duration]

    public var description: String {
        let what = deadlines.count == 1 ? "1 sleeper is" : "\(deadlines.count) sleepers are"
        let times = deadlines.prefix(5).map { "\($0)" }.joined(separator: ", ")
        let more = deadlines.count > 5 ? ", …" : ""
        return "\(what) left on the test clock at \(now), due at \(times)\(more)"
    }
}
