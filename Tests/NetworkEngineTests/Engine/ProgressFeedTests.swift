import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ProgressFeedTests {
    private let clock = TestClock()
    private let told = Locked<[Int64]>([])

    private func feed(_ timers: TimerQueue) -> ProgressFeed {
        ProgressFeed(timers: timers) { [told] report in told.withLock { $0.append(report.completed) } }
    }

    private func report(_ count: Int64) -> TransferProgress {
        TransferProgress(direction: .receiving, completed: count, total: 1_000_000)
    }

    @Test func `the last step before a silence is delivered in time by the injected clock`() async {
        let timers = TimerQueue(timebase: .reading(clock))
        defer { timers.stop() }
        let feed = feed(timers)
        for count in 1...100 { feed.report(report(Int64(count))) }
        #expect(told.withLock { $0 } == [1])
        await clock.untilSleeping(atLeast: 1)
        clock.advance(by: .milliseconds(17))
        while told.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(told.withLock { $0 } == [1, 100])
    }

    @Test func `after the end nothing is delivered and no timer is left`() {
        let timers = TimerQueue(timebase: .reading(clock))
        defer { timers.stop() }
        let feed = feed(timers)
        feed.report(report(1))
        feed.report(report(2))
        feed.end(withSuccess: true)
        feed.report(report(3))
        clock.advance(by: .seconds(1))
        #expect(told.withLock { $0 } == [1, 2])
    }

    @Test func `sixty reports in a second reach the caller, not ten thousand`() {
        let timers = TimerQueue(timebase: .reading(clock))
        defer { timers.stop() }
        let feed = feed(timers)
        for count in 1...1000 {
            feed.report(report(Int64(count)))
            clock.advance(by: .milliseconds(1))
        }
        #expect((50...61).contains(told.withLock { $0.count }))
    }

    @Test func `a slow listener never gets an older step after a newer one`() async {
        let timers = TimerQueue(timebase: .reading(ContinuousClock()))
        defer { timers.stop() }
        let feed = feed(timers)
        await withTaskGroup(of: Void.self) { group in
            for part in 0..<4 {
                group.addTask { for count in 0..<5000 { feed.report(report(Int64(count * 4 + part))) } }
            }
        }
        feed.end(withSuccess: true)
        let counts = told.withLock { $0 }
        #expect(counts == counts.sorted() && counts.last == 19_999)
    }
}
