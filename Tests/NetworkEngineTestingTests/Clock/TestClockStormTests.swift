import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct TestClockStormTests {
    let clock = TestClock()

    @Test func `moves made at the same time add up`() async {
        await withTaskGroup { group in
            for _ in 1...1_000 { group.addTask { [clock] in clock.advance(by: .milliseconds(1)) } }
        }
        #expect(clock.now.offset == .seconds(1))
    }

    @Test func `thousands sleep, move and cancel at once, and each wakes exactly once`() async throws {
        let outcomes = Locked((woken: 0, cancelled: 0))
        try await withThrowingTaskGroup { group in
            for number in 1...2_000 {
                let sleeper = Task { [clock] in
                    do {
                        try await clock.sleep(until: .init(offset: .milliseconds(number % 50)))
                        outcomes.withLock { $0.woken += 1 }
                    } catch {
                        outcomes.withLock { $0.cancelled += 1 }
                    }
                }
                group.addTask { [clock] in
                    if number.isMultiple(of: 3) { sleeper.cancel() }
                    if number.isMultiple(of: 5) { clock.advance(by: .milliseconds(1)) }
                    await sleeper.value
                }
            }
            try await group.waitForAll()
        }
        let (woken, cancelled) = outcomes.withLock { $0 }
        #expect(woken + cancelled == 2_000)
        try clock.checkIsIdle()
    }

    @Test func `a cancellation that races with the waking has one winner`() async throws {
        try await rounds(500) { _ in
            let clock = TestClock()
            let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
            await clock.untilSleeping()
            async let moved: Void = clock.advance(by: .seconds(1))
            sleeper.cancel()
            _ = await (moved, sleeper.result)
            try clock.checkIsIdle()
        }
    }

    @Test func `a cancellation that races with going to sleep is never lost`() async throws {
        try await rounds(2_000) { [clock] _ in
            let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
            sleeper.cancel()
            await #expect(throws: CancellationError.self) { try await sleeper.value }
        }
        try clock.checkIsIdle()
    }

    @Test func `thousands may wait for the same sleeper`() async {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await withTaskGroup { group in
            for _ in 1...1_000 { group.addTask { [clock] in await clock.untilSleeping() } }
        }
        sleeper.cancel()
        #expect(clock.now.offset == .zero)
    }
}
