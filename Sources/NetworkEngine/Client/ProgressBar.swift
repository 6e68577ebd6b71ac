import Foundation

/// A line in a terminal that shows how far a transfer has come: a bar, the amount, the rate, the time left.
///
/// ```swift
/// let bar = ProgressBar("report.pdf")
/// let file = try await provider.download(.report) { bar.show($0) }
/// bar.finish()
/// ```
/// The line is written over itself.
public struct ProgressBar: Sendable {
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
    ///   - width: how many characters the bar itself has.
    ///   - clock: what rate and time left are measured by.
    ///   - write: puts text where it is seen; standard error unless given.
    public init(
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

    /// Draws the line anew.
    public func show(_ progress: TransferProgress) {
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
    public func finish() { write("\n") }

    private func line(for progress: TransferProgress, rate: Double?) -> String {
        var parts = [label]
        if let fraction = progress.fraction {
            let count = Int(fraction * Double(width))
            let bar = String(repeating: "#", count: count) + String(repeating: "-", count: width - count)
            parts.append("[\(bar)] \(Int(fraction * 100)) %")
        }
        let amounts = [progress.completed, progress.total].compactMap(\.self).map(ByteWords.init)
        parts.append(amounts.map(\.text).joined(separator: " of "))
        if let rate, rate >= 1 {
            parts.append("\(ByteWords(Int64(rate)).text)/s")
            if let total = progress.total, progress.completed < total {
                let left = Double(total - progress.completed) / rate
                if left < 360_000 { parts.append("\(Self.clock(Int(left.rounded(.up)))) left") }
            }
        }
        return parts.joined(separator: "  ")
    }

    /// Minutes and seconds, and hours where there are any.
    private static func clock(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(seconds % 60))"
    }
}
