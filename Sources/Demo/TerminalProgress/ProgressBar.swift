import Foundation
package import NetworkEngine

/// A terminal line that shows the progress of a transfer: a bar, the amount, the rate and the time left.
///
/// ```swift
/// let bar = ProgressBar("report.pdf")
/// let file = try await provider.download(.report) { bar.show($0) }
/// bar.finish()
/// ```
/// Each report overwrites the line.
package struct ProgressBar: Sendable {
    private struct State {
        var meter = RateMeter()
        var lastLength = 0
    }

    private let label: String
    private let width: Int
    private let timebase: Timebase
    private let write: @Sendable (String) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - width: the number of characters of the bar itself.
    ///   - clock: measures the rate and the time left.
    ///   - write: writes text to the terminal; to standard error by default.
    package init(
        _ label: String,
        width: Int = 30,
        clock: any Clock<Duration> = ContinuousClock(),
        write: (@Sendable (String) -> Void)? = nil
    ) {
        self.label = label
        self.width = max(1, width)
        self.timebase = .reading(clock)
        self.write = write ?? { FileHandle.standardError.write(Data($0.utf8)) }
    }

    /// Draws the line.
    package func show(_ progress: TransferProgress) {
        let now = timebase.now
        let text = state.withLock { state in
            state.meter.add(progress, now: now)
            let line = line(for: progress, rate: state.meter.rate)
            let gap = String(repeating: " ", count: max(0, state.lastLength - line.count))
            state.lastLength = line.count
            return "\r" + line + gap
        }
        write(text)
    }

    /// Ends the line.
    package func finish() { write("\n") }

    private func line(for progress: TransferProgress, rate: Double?) -> String {
        var parts = [label]
        if let fraction = progress.fraction {
            let count = Int(fraction * Double(width))
            let bar = String(repeating: "#", count: count) + String(repeating: "-", count: width - count)
            parts.append("[\(bar)] \(Int(fraction * 100)) %")
        }
        let amounts = [progress.completed, progress.total].compactMap(\.self).map(Self.formatted(bytes:))
        parts.append(amounts.joined(separator: " of "))
        if let rate, rate >= 1 {
            parts.append("\(Self.formatted(bytes: Int64(rate)))/s")
            if let total = progress.total, progress.completed < total {
                let left = Double(total - progress.completed) / rate
                if left < 360_000 { parts.append("\(Self.formatted(seconds: Int(left.rounded(.up)))) left") }
            }
        }
        return parts.joined(separator: "  ")
    }

    /// A time as `0:07` or `2:03:03`.
    private static func formatted(seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
    }

    /// A number of bytes as `999 B` or `1.2 MB`.
    private static func formatted(bytes count: Int64) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var (tenths, units) = (count / 100, ["kB", "MB", "GB", "TB", "PB", "EB"][...])
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units = units.dropFirst()
        }
        return "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
    }
}

/// Measures the bytes per second over the last seconds.
private struct RateMeter: Sendable {
    private var last: (progress: TransferProgress, time: Duration)?
    /// `nil` until two reports at different times have arrived.
    private(set) var rate: Double?

    /// The time over which the average is taken.
    private static let window = Duration.seconds(3)

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
        let weight = min(1, time / Self.window)
        rate = rate.map { $0 + weight * (current - $0) } ?? current
        last = (progress, now)
    }
}
