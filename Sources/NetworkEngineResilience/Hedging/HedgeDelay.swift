import NetworkEngine

/// The delay before a second request is sent.
struct HedgeDelay: Sendable {
    private let fixed: Duration
    private let part: Double?
    private let window = Locked((latencies: LatencyWindow(), delay: Duration?.none, unsortedCount: 0))

    /// - Parameter part: the share of recent responses that arrive within the delay; `nil` for a fixed delay.
    init(_ fixed: Duration, part: Double? = nil) {
        self.fixed = fixed.bounded
        self.part = part
    }

    var current: Duration {
        guard part != nil else { return fixed }
        return window.withLock { $0.delay } ?? fixed
    }

    /// Adds the duration of a first request, or a lower bound if the second request was faster.
    func learn(_ time: Duration) {
        guard let part else { return }
        window.withLock { window in
            window.latencies.add(time)
            window.unsortedCount += 1
            // A few values do not justify sorting.
            guard window.delay == nil || window.unsortedCount >= 8 else { return }
            window.delay = window.latencies.time(ofPart: part)
            window.unsortedCount = 0
        }
    }
}

/// The durations of recent responses; a pure value.
struct LatencyWindow: Sendable {
    /// The number of durations to keep, and the number required for a result.
    private static let (capacity, minimum) = (128, 20)

    private var times: [Duration] = []
    private var next = 0

    init() {}

    mutating func add(_ time: Duration) {
        if times.count < Self.capacity { return times.append(time) }
        times[next] = time
        next = (next + 1) % Self.capacity
    }

    /// Returns the time within which this share of the responses arrived; `nil` for too few responses.
    func time(ofPart part: Double) -> Duration? {
        guard times.count >= Self.minimum, !part.isNaN else { return nil }
        let position = Int(Double(times.count) * min(max(part, 0), 1))
        return times.sorted()[min(position, times.count - 1)]
    }
}
