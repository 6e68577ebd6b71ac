/// How long the answers of late took; pure.
package struct LatencyWindow: Sendable {
    /// How many it remembers, and how many there must be before it says anything.
    private static let (size, enough) = (128, 20)

    private var times: [Duration] = []
    private var next = 0

    package init() {}

    package mutating func add(_ time: Duration) {
        if times.count < Self.size { return times.append(time) }
        times[next] = time
        next = (next + 1) % Self.size
    }

    /// The time within which this part of the answers came; `nil` while there are too few to tell.
    package func time(ofPart part: Double) -> Duration? {
        guard times.count >= Self.enough, !part.isNaN else { return nil }
        let position = Int(Double(times.count) * min(max(part, 0), 1))
        return times.sorted()[min(position, times.count - 1)]
    }
}
