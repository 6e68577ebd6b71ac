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

        var isHeld: Bool {
            told?.completed != latest.completed || told?.total != latest.total || told?.attempt != latest.attempt
        }
    }

    private var lines: [TransferProgress.Direction: Line] = [:]
    private static let pause = Duration.seconds(1) / 60

    package init() {}

    /// When the next of what is held back may be told; `nil` when nothing is.
    package var due: Duration? { lines.values.filter(\.isHeld).map { $0.time + Self.pause }.min() }

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
        let isUrgent = line.isRestart || isLater || (report.completed == report.total && line.isHeld)
        if isUrgent || (line.isHeld && now - line.time >= Self.pause) { return tell(line, now: now) }
        lines[report.direction] = line
        return nil
    }

    /// What was held back and may be told by now.
    package mutating func heldBack(now: Duration) -> [TransferProgress] {
        lines.values.filter { $0.isHeld && now - $0.time >= Self.pause }.map { tell($0, now: now) }
    }

    /// What is to be told when the call has succeeded, so that the last report of what came is of all of it.
    package mutating func last(now: Duration) -> TransferProgress? {
        guard var line = lines[.receiving] else { return nil }
        line.latest.total = line.latest.completed
        return line.isHeld ? tell(line, now: now) : nil
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
