/// Decides which steps of a transfer are worth telling: the first, the last, and not more than sixty in a second.
package struct ProgressMeter: Sendable {
    private let direction: TransferProgress.Direction
    private let attempt: Int
    private var completed: Int64 = -1
    private var lastReport: ContinuousClock.Instant?

    package init(_ direction: TransferProgress.Direction, attempt: Int) {
        self.direction = direction
        self.attempt = attempt
    }

    /// - Parameter isLast: whether nothing more will come; what is known is told in any case.
    /// - Returns: what to tell, if anything.
    package mutating func step(
        to count: Int64,
        of total: Int64?,
        isLast: Bool = false,
        now: ContinuousClock.Instant = .now
    ) -> TransferProgress? {
        guard count > completed else { return nil }
        if let lastReport, !isLast, count != total, now - lastReport < .milliseconds(16) { return nil }
        let isFirst = lastReport == nil
        lastReport = now
        completed = count
        return TransferProgress(
            direction: direction,
            completed: count,
            total: isLast ? count : total,
            attempt: attempt,
            isRestart: attempt > 1 && isFirst
        )
    }
}
