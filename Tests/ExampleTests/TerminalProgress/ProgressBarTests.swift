import NetworkEngine
import NetworkEngineTesting
import TerminalProgress
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProgressBarTests {
    private let clock = TestClock()
    private let written = Locked("")

    private var bar: ProgressBar {
        ProgressBar("a.bin", width: 10, clock: clock) { [written] text in written.withLock { $0 += text } }
    }

    private func report(_ completed: Int64, of total: Int64?, isRestart: Bool = false) -> TransferProgress {
        TransferProgress(direction: .receiving, completed: completed, total: total, isRestart: isRestart)
    }

    /// The lines that were drawn over each other.
    private var lines: [String] { written.withLock { $0 }.split(separator: "\r").map(String.init) }

    @Test func `the line shows bar, amount, rate and remaining time`() {
        let bar = bar
        bar.show(report(0, of: 10_000_000))
        clock.advance(by: .seconds(3))
        bar.show(report(3_000_000, of: 10_000_000))
        #expect(
            lines == [
                "a.bin  [----------] 0 %  0 B of 10.0 MB",
                "a.bin  [###-------] 30 %  3.0 MB of 10.0 MB  1.0 MB/s  0:07 left",
            ]
        )
    }

    @Test func `a shorter line overwrites the longer line before it`() {
        let bar = bar
        bar.show(report(0, of: 100))
        clock.advance(by: .seconds(1))
        bar.show(report(50, of: 100))
        bar.show(report(100, of: 100))
        bar.finish()
        #expect(lines[1] == "a.bin  [#####-----] 50 %  50 B of 100 B  50 B/s  0:01 left")
        #expect(lines[2] == "a.bin  [##########] 100 %  100 B of 100 B  50 B/s         \n")
    }

    @Test func `without a total there is no bar and no remaining time`() {
        let bar = bar
        bar.show(report(0, of: nil))
        clock.advance(by: .seconds(2))
        bar.show(report(2_500, of: nil))
        #expect(lines == ["a.bin  0 B", "a.bin  2.5 kB  1.2 kB/s"])
    }

    @Test func `the rate follows the last seconds and is reset with the transfer`() {
        let bar = bar
        bar.show(report(0, of: nil))
        for second in 1...20 {
            clock.advance(by: .seconds(1))
            bar.show(report(Int64(min(second, 10)) * 1000, of: nil))
        }
        #expect(lines[10].hasSuffix("  1.0 kB/s") && lines[20].hasSuffix("  17 B/s"))
        bar.show(report(0, of: nil, isRestart: true))
        #expect(lines[21].hasPrefix("a.bin  0 B ") && !lines[21].contains("/s"))
    }

    @Test(arguments: [
        (Int64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_999, "999.9 kB"), (1_000_000, "1.0 MB"),
        (Int64.max, "9.2 EB"),
    ])
    func `amounts are shown with units`(count: Int64, words: String) {
        let bar = bar
        bar.show(report(count, of: nil))
        #expect(lines == ["a.bin  \(words)"])
    }

    @Test func `hours are shown when there are any`() {
        let bar = bar
        bar.show(report(0, of: 7_384_000))
        clock.advance(by: .seconds(1))
        bar.show(report(1000, of: 7_384_000))
        #expect(lines[1].hasSuffix("1.0 kB/s  2:03:03 left"))
    }
}
