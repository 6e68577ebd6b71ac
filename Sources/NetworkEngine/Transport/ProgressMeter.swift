/// Decides which steps of a call's transfers are worth telling: the first, the last, and not more than sixty in a second.
///
/// Pure. Within an attempt counting never goes back, whatever a transport says, unless it begins anew and says that.
package struct ProgressMeter: Sendable {
    /// What is known of one direction.
    private struct Line {
        var latest: TransferProgress
        var told: TransferProgress?
        var time: Duration = .zero
        var isRestart = false
    }

    private var lines: [TransferProgress.Direction: Line] = [:]
    private static let pause = Duration.seconds(1) / 60

    package init() {}

    /// Takes a report in.
    ///
    /// - Returns: what to tell, if anything.
    package mutating func step(_ report: TransferProgress, now: Duration) -> TransferProgress? {
        guard var line = lines[report.direction] else {
            return tell(Line(latest: report, isRestart: report.isRestart), now: now)
        }
        let isLater = report.attempt > line.latest.attempt
        let isBack = report.completed < line.latest.completed
        guard isLater || report.isRestart || (report.attempt == line.latest.attempt && !isBack) else { return nil }
        line.isRestart = line.isRestart || report.isRestart || (isLater && isBack)
        line.latest = report
        let isComplete = report.completed == report.total
        let isKnown = line.told.map { $0.completed == report.completed && $0.total == report.total } ?? false
        let isDue = line.isRestart || isComplete && !isKnown || !isKnown && now - line.time >= Self.pause
        if isDue { return tell(line, now: now) }
        lines[report.direction] = line
        return nil
    }

    /// What is to be told when the call has succeeded, so that the last report of what came is of all of it.
    package mutating func last(now: Duration) -> TransferProgress? {
        guard var line = lines[.receiving] else { return nil }
        line.latest.total = line.latest.completed
        let isKnown = line.told?.completed == line.latest.completed && line.told?.total == line.latest.total
        return isKnown ? nil : tell(line, now: now)
    }

    private mutating func tell(_ line: Line, now: Duration) -> TransferProgress {
        var line = line
        line.latest.isRestart = line.isRestart
        line.told = line.latest
        line.time = now
        line.isRestart = false
        lines[line.latest.direction] = line
        return line.told ?? line.latest
    }
}
