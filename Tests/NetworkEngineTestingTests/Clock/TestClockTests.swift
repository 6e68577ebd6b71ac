import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct TestClockTests {
    let clock = TestClock()

    /// Sleeps for a number of seconds, and then records it.
    private func sleeper(_ seconds: Int, named name: String, _ log: Log) -> Task<Void, any Error> {
        Task { [clock] in
            try await clock.sleep(until: .init(offset: .seconds(seconds)))
            log.names.withLock { $0.append(name) }
        }
    }

    /// The events in order.
    private struct Log { let names = Locked([String]()) }

    @Test func `time does not pass until it is advanced`() {
        #expect(clock.now.offset == .zero)
        clock.advance(by: .seconds(2))
        clock.advance(to: .init(offset: .seconds(5)))
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `time never runs backwards`() {
        clock.advance(by: .seconds(2))
        clock.advance(by: .seconds(-1))
        clock.advance(to: .init())
        #expect(clock.now.offset == .seconds(2))
    }

    @Test func `a sleep until a past time returns at once`() async throws {
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: .init(offset: .seconds(1)))
    }

    @Test func `run() wakes every sleeper and ends at the last one's time`() async throws {
        let log = Log()
        let tasks = [3, 1, 2, 1].map { sleeper($0, named: "\($0)", log) }
        await clock.untilSleeping(atLeast: 4)
        #expect(clock.pendingSleepers.map(\.offset) == [.seconds(1), .seconds(1), .seconds(2), .seconds(3)])
        clock.run()
        for task in tasks { try await task.value }
        #expect(log.names.withLock { $0.sorted() } == ["1", "1", "2", "3"])
        #expect(clock.now.offset == .seconds(3))
    }

    @Test func `a sleeper that is not due keeps sleeping`() async throws {
        let log = Log()
        let early = sleeper(1, named: "early", log)
        let late = sleeper(5, named: "late", log)
        await clock.untilSleeping(atLeast: 2)
        clock.advance(by: .seconds(4))
        try await early.value
        #expect(clock.pendingSleepers.map(\.offset) == [.seconds(5)])
        clock.advance(by: .seconds(1))
        try await late.value
        #expect(log.names.withLock { $0 } == ["early", "late"])
    }

    @Test func `a loop advances from sleep to sleep`() async throws {
        let task = Task { [clock] in
            var times: [Duration] = []
            for _ in 1...4 {
                try await clock.sleep(for: .seconds(2))
                times.append(clock.now.offset)
            }
            return times
        }
        for _ in 1...4 { #expect(await clock.advanceToNextSleeper() == .seconds(2)) }
        #expect(try await task.value == [.seconds(2), .seconds(4), .seconds(6), .seconds(8)])
    }

    @Test func `a canceled sleeper throws at once and leaves`() async throws {
        let task = sleeper(1, named: "never", Log())
        await clock.untilSleeping()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try clock.checkIsIdle()
    }

    @Test func `a task that is already canceled throws in place of sleeping`() async {
        let task = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: .init())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a long timeout does not count as the awaited pause`() async throws {
        let timeout = sleeper(60, named: "timeout", Log())
        await clock.untilSleeping()
        let waiter = Task { [clock] in
            await clock.untilSleeping(within: .seconds(5))
            return clock.pendingSleepers.count
        }
        let pause = sleeper(2, named: "pause", Log())
        #expect(await waiter.value == 2)
        timeout.cancel()
        pause.cancel()
    }

    @Test func `waiting for sleepers ends on cancellation`() async {
        let task = Task { [clock] in await clock.untilSleeping(atLeast: 1_000) }
        task.cancel()
        await task.value
    }

    @Test func `sleepers that are left at the end are reported`() async throws {
        let tasks = [sleeper(2, named: "a", Log()), sleeper(7, named: "b", Log())]
        await clock.untilSleeping(atLeast: 2)
        clock.advance(by: .seconds(1))
        let error = #expect(throws: SleepersLeft.self) { try clock.checkIsIdle() }
        #expect(
            error?.description
                == "2 sleepers are left on the test clock at 1.0 seconds, due at 2.0 seconds, 7.0 seconds")
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        try clock.checkIsIdle()
    }

    @Test func `a long timeout in the background does not count as the awaited pause`() async throws {
        let timeout = Task { [clock] in try await clock.sleep(for: .seconds(60)) }
        await clock.untilSleeping()
        let pause = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        #expect(await clock.advanceToNextSleeper(within: .seconds(9)) == .seconds(2))
        try await pause.value
        #expect(clock.pendingSleepers.map(\.offset) == [.seconds(60)])
        timeout.cancel()
        _ = await timeout.result
    }

    @Test func `a sleeper that is canceled and sleeps again is waited for`() async throws {
        // Sleeps and is canceled repeatedly, like a timer that is reset.
        let restless = Task { [clock] in
            for _ in 0..<100 {
                let sleep = Task { try await clock.sleep(for: .seconds(5)) }
                sleep.cancel()
                _ = await sleep.result
            }
            try await clock.sleep(for: .seconds(1))
        }
        var moved = Duration.zero
        while clock.now.offset == .zero { moved = await clock.advanceToNextSleeper() }
        #expect(moved > .zero)
        restless.cancel()
        _ = await restless.result
    }

    @Test func `a test clock can be the clock of a timebase`() async throws {
        let any: any Clock<Duration> = clock
        let timebase = Timebase.reading(any)
        let task = Task { try await timebase.sleep(for: .seconds(3)) }
        #expect(await clock.advanceToNextSleeper() == .seconds(3))
        try await task.value
        #expect(timebase.now == .seconds(3))
    }
}
