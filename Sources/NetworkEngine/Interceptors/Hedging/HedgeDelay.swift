/// How long a first request has before a second one goes out.
struct HedgeDelay: Sendable {
    private let fixed: Duration
    private let part: Double?
    private let window = Locked((latencies: LatencyWindow(), known: Duration?.none, news: 0))

    /// - Parameter part: of the answers of late, how many came within the delay; `nil` for a fixed one.
    init(_ fixed: Duration, part: Double? = nil) {
        self.fixed = fixed.bounded
        self.part = part
    }

    var current: Duration {
        guard part != nil else { return fixed }
        return window.withLock { $0.known } ?? fixed
    }

    /// A first request took so long; or at least so long, when the second was faster.
    func learn(_ time: Duration) {
        guard let part else { return }
        window.withLock { window in
            window.latencies.add(time)
            window.news += 1
            // Sorting costs more than a few answers can change.
            guard window.known == nil || window.news >= 8 else { return }
            window.known = window.latencies.time(ofPart: part)
            window.news = 0
        }
    }
}
