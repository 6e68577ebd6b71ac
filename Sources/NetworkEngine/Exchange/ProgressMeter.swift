/// Selects the progress reports to deliver: the first, the last, and at most sixty per second.
///
/// A pure value. Within an attempt the count never decreases, even if a transport reports less, unless the transport
/// reports a restart.
struct ProgressMeter: Sendable {
    /// The progress in one direction.
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

    init() {}

    /// The time when the next held report may be delivered; `nil` if none is held.
    var due: Duration? { lines.values.filter(\.isHeld).map { $0.time + Self.pause }.min() }

    /// Adds a report.
    ///
    /// - Returns: the report to deliver, if any.
    mutating func step(_ report: TransferProgress, now: Duration) -> TransferProgress? {
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

    /// The held reports that may be delivered by now.
    mutating func heldBack(now: Duration) -> [TransferProgress] {
        lines.values.filter { $0.isHeld && now - $0.time >= Self.pause }.map { tell($0, now: now) }
    }

    /// The reports to deliver when the call has succeeded, so that the last report covers all bytes.
    mutating func last(now: Duration) -> TransferProgress? {
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
