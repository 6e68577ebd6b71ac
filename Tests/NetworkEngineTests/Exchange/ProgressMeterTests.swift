import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ProgressMeterTests {
    private func report(
        _ completed: Int64,
        of total: Int64? = nil,
        attempt: Int = 1,
        _ direction: TransferProgress.Direction = .receiving,
        isRestart: Bool = false
    ) -> TransferProgress {
        TransferProgress(
            direction: direction, completed: completed, total: total, attempt: attempt, isRestart: isRestart)
    }

    @Test func `the first and the last step are reported, and at most sixty per second between them`() {
        var meter = ProgressMeter()
        let steps = (0...10_000).compactMap {
            meter.step(report(Int64($0), of: 10_000), now: .microseconds(100 * $0))
        }
        #expect(steps.first?.completed == 0 && steps.last?.fraction == 1)
        #expect((55...62).contains(steps.count))
    }

    @Test func `elapsed time alone allows the next step`() {
        var meter = ProgressMeter()
        let told = [(1, 0), (2, 16), (3, 17), (4, 33), (5, 34)].compactMap { count, milliseconds in
            meter.step(report(Int64(count)), now: .milliseconds(milliseconds))?.completed
        }
        #expect(told == [1, 3, 5])
    }

    @Test func `progress never goes back within an attempt or after it`() {
        var meter = ProgressMeter()
        let told = [report(10), report(5), report(3, attempt: 2), report(20)].enumerated().compactMap {
            meter.step($0.element, now: .seconds($0.offset))?.completed
        }
        #expect(told == [10, 3])
    }

    @Test(arguments: [(Int64(0), true), (10, false)])
    func `a later attempt says whether counting restarts`(count: Int64, isRestart: Bool) {
        var meter = ProgressMeter()
        _ = meter.step(report(10, of: 20), now: .zero)
        let next = meter.step(report(count, of: 20, attempt: 2), now: .seconds(1))
        #expect(next == report(count, of: 20, attempt: 2, isRestart: isRestart))
        #expect(meter.step(report(count + 1, of: 20, attempt: 2), now: .seconds(2))?.isRestart == false)
    }

    @Test func `a file that restarts within an attempt is reported at once`() {
        var meter = ProgressMeter()
        _ = meter.step(report(10, of: 20), now: .zero)
        #expect(meter.step(report(0, of: 9, isRestart: true), now: .zero) == report(0, of: 9, isRestart: true))
    }

    @Test func `the two directions do not delay each other`() {
        var meter = ProgressMeter()
        let told = [report(1, .sending), report(1, .receiving)].compactMap { meter.step($0, now: .zero)?.direction }
        #expect(told == [.sending, .receiving])
    }

    @Test func `a delayed step is due after a sixtieth of a second`() throws {
        var meter = ProgressMeter()
        _ = meter.step(report(1), now: .zero)
        #expect(meter.due == nil)
        _ = meter.step(report(7), now: .milliseconds(1))
        let due = try #require(meter.due)
        #expect(meter.heldBack(now: .milliseconds(2)) == [])
        #expect(meter.heldBack(now: due) == [report(7)] && meter.due == nil)
    }

    @Test func `the delayed last step reports the total`() {
        var meter = ProgressMeter()
        _ = meter.step(report(1), now: .zero)
        #expect(meter.step(report(7), now: .zero) == nil)
        #expect(meter.last(now: .zero) == report(7, of: 7))
        #expect(meter.last(now: .zero) == nil)
    }
}
