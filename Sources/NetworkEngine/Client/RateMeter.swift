/// Bytes per second over the last few seconds.
struct RateMeter: Sendable {
    private var last: (progress: TransferProgress, time: Duration)?
    /// `nil` until something has come in some time.
    private(set) var rate: Double?

    /// For how long what was before still counts.
    private static let memory = Duration.seconds(3)

    mutating func add(_ progress: TransferProgress, now: Duration) {
        guard let before = last, !progress.isRestart, before.progress.direction == progress.direction,
            progress.completed >= before.progress.completed
        else {
            (last, rate) = ((progress, now), nil)
            return
        }
        let time = now - before.time
        guard time > .zero else { return }
        let current = Double(progress.completed - before.progress.completed) / (time / .seconds(1))
        let weight = min(1, time / Self.memory)
        rate = rate.map { $0 + weight * (current - $0) } ?? current
        last = (progress, now)
    }
}
