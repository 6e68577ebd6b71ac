import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct RateLimitTests {
    /// Returns the time of each of several simultaneous requests; `nil` for a rejected one.
    private func times(_ schedule: inout RateSchedule, _ count: Int, at start: Duration = .zero) -> [Duration?] {
        let entries = (0..<count).map { _ in schedule.enter("a", at: start, within: .seconds(100)) }
        var now = start
        return entries.map { entry in
            switch entry {
            case .go: return now
            case .refused: return nil
            case .waits(let claim):
                while case .waits(let time) = schedule.step(claim, at: now) { now = time }
                return now
            }
        }
    }

    @Test func `requests start at the rate after a burst`() {
        var schedule = RateSchedule(count: 2, per: .seconds(1), burst: 3)
        #expect(times(&schedule, 5) == [0, 0, 0, 500, 1000].map { .milliseconds($0) })
        #expect(times(&schedule, 2, at: .seconds(60)) == [.seconds(60), .seconds(60)])
    }

    @Test func `a turn beyond the maximum wait is not taken`() {
        var schedule = RateSchedule(count: 1, per: .seconds(10), burst: 1)
        let entries = (0..<3).map { _ in schedule.enter("a", at: .zero, within: .seconds(15)) }
        guard case .go = entries[0], case .waits = entries[1], case .refused = entries[2] else {
            return complain("\(entries)")
        }
        #expect(schedule.waitingCount == 1)
    }

    @Test func `a pause applies to the whole host, and then the rate restarts`() {
        var schedule = RateSchedule(count: 1, per: .seconds(1), burst: 2)
        _ = schedule.enter("a", at: .zero, within: .zero)
        _ = schedule.pause("a", until: .seconds(30), at: .zero)
        #expect(times(&schedule, 3) == [30, 31, 32].map { .seconds($0) })
        #expect(times(&schedule, 1, at: .seconds(60)) == [.seconds(60)])
    }

    @Test func `a returned turn goes to the next request`() {
        var schedule = RateSchedule(count: 1, per: .seconds(1), burst: 1)
        for _ in 0..<3 {
            guard case .waits(let claim) = schedule.enter("a", at: .zero, within: .seconds(9)) else { continue }
            _ = schedule.withdraw(claim)
            _ = schedule.withdraw(claim)
        }
        #expect(times(&schedule, 1) == [.seconds(1)])
    }

    /// Calls that record when they are sent, and the number of failures.
    private final class Callers: Sendable {
        let went = Locked<[Duration]>([])
        let failures = Locked<[NetworkError.Kind]>([])
        private let tasks = Locked<[Task<Void, Never>]>([])

        func start(_ count: Int, _ provider: NetworkProvider<API>, _ clock: TestClock) {
            for _ in 0..<count {
                let task = Task { [went, failures] in
                    let error = await provider.failure(.plain)
                    if let error { failures.withLock { $0.append(error.kind) } }
                    if error == nil { went.withLock { $0.append(clock.now.offset) } }
                }
                tasks.withLock { $0.append(task) }
            }
        }

        func cancel(butTheLast count: Int) {
            for task in tasks.withLock({ $0.dropLast(count) }) { task.cancel() }
        }

        /// Advances the clock until all calls have ended, each time after the calls that are due.
        func finish(_ clock: TestClock, _ limit: RateLimit) async {
            let driver = Task {
                while !Task.isCancelled {
                    await clock.untilSleeping()
                    while endedCount + limit.waitingCount < tasks.withLock({ $0.count }), !Task.isCancelled {
                        await Task.yield()
                    }
                    await clock.advanceToNextSleeper()
                }
            }
            for task in tasks.withLock({ $0 }) { await task.value }
            driver.cancel()
        }

        private var endedCount: Int { went.withLock { $0.count } + failures.withLock { $0.count } }
    }

    @Test func `after a pause earlier and later requests keep the rate together`() async {
        let clock = TestClock()
        let mock = MockTransport(.status(200), .status(429, headers: ["Retry-After": "4"]))
        mock.on().answers(MockAnswer.status(200).repeating())
        let limit = RateLimit(1, clock: clock)
        let provider = NetworkProvider<API>(mock, [limit])
        _ = await provider.failure(.plain)
        let callers = Callers()
        callers.start(6, provider, clock)
        await limit.untilWaiting(6)
        await clock.advanceToNextSleeper()  // the first of them is rejected at 1 s, and the host paused until 5 s
        while callers.failures.withLock({ $0.isEmpty }), !Task.isCancelled { await Task.yield() }
        callers.start(5, provider, clock)
        await limit.untilWaiting(10)
        await callers.finish(clock, limit)
        #expect(callers.went.withLock { $0 } == (5..<15).map { .seconds($0) })
    }

    @Test func `canceled requests leave no gap in the schedule`() async throws {
        let clock = TestClock()
        let limit = RateLimit(10, clock: clock)
        let provider = NetworkProvider<API>(MockTransport(MockAnswer.status(200).repeating()), [limit])
        _ = try await provider.send(.plain)
        let callers = Callers()
        callers.start(99, provider, clock)
        await limit.untilWaiting(99)
        callers.cancel(butTheLast: 2)
        await limit.untilWaiting(2)
        callers.start(1, provider, clock)
        await limit.untilWaiting(3)
        await callers.finish(clock, limit)
        #expect(callers.went.withLock { $0 } == [100, 200, 300].map { .milliseconds($0) })
    }

    @Test func `a pause beyond the maximum wait fails waiting requests`() async {
        let clock = TestClock()
        let mock = MockTransport(.status(200), .status(429, headers: ["Retry-After": "600"]))
        let limit = RateLimit(1, clock: clock)
        let provider = NetworkProvider<API>(mock, [limit])
        _ = await provider.failure(.plain)
        let callers = Callers()
        callers.start(4, provider, clock)
        await limit.untilWaiting(4)
        await clock.advanceToNextSleeper()
        while callers.failures.withLock({ $0.count }) < 4, !Task.isCancelled { await Task.yield() }
        let kinds = callers.failures.withLock { $0 }
        #expect(kinds.count { $0 == .status } == 1 && kinds.count { $0 == .limit } == 3)
        #expect(clock.now.offset == .seconds(1))
    }

    @Test func `unused hosts are dropped`() {
        var schedule = RateSchedule(count: 1, per: .seconds(1), burst: 1)
        for host in 0..<1000 { _ = schedule.enter("\(host)", at: .seconds(host), within: .zero) }
        #expect(schedule.hostCount <= 65)
    }

    @Test func `requests wait on the injected clock, in order`() async throws {
        let clock = TestClock()
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let provider = NetworkProvider<API>(mock, [RateLimit(1, burst: 1, clock: clock)])
        _ = try await provider.send(.plain)
        async let second = provider.send(.plain)
        #expect(await clock.advanceToNextSleeper() == .seconds(1))
        _ = try await second
    }

    @Test func `a 429 with Retry-After holds back every other request to the host`() async throws {
        let clock = TestClock()
        let mock = MockTransport(.status(429, headers: ["Retry-After": "7"]), .status(200))
        let provider = NetworkProvider<API>(mock, [RateLimit(100, burst: 100, clock: clock)])
        #expect(await provider.failure(.plain)?.statusCode == 429)
        async let second = provider.send(.plain)
        #expect(await clock.advanceToNextSleeper() == .seconds(7))
        _ = try await second
    }

    @Test func `no response pauses a host for more than an hour`() async throws {
        let clock = TestClock()
        let mock = MockTransport(.status(429, headers: ["Retry-After": "99999999999"]), .status(200))
        let provider = NetworkProvider<API>(mock, [RateLimit(100, burst: 100, clock: clock)])
        _ = await provider.failure(.plain)
        clock.advance(by: .seconds(3599))
        async let second = provider.send(.plain)
        #expect(await clock.advanceToNextSleeper() == .seconds(1))
        _ = try await second
    }

    @Test func `a request with too long a wait fails at once, and a canceled request returns its turn`() async throws {
        let clock = TestClock()
        var limit = RateLimit(1, per: .seconds(10), clock: clock)
        limit.maxWait = .seconds(10)
        let provider = NetworkProvider<API>(MockTransport(MockAnswer.status(200).repeating()), [limit])
        _ = try await provider.send(.plain)
        let waiting = Task { await provider.failure(.plain) }
        await clock.untilSleeping()
        #expect(await provider.failure(.plain)?.kind == .limit)
        waiting.cancel()
        #expect(await waiting.value?.kind == .cancelled)
        async let last = provider.send(.plain)
        #expect(await clock.advanceToNextSleeper() == .seconds(10))
        _ = try await last
    }
}

extension RateLimit {
    /// Returns when this number of requests are waiting for their turn.
    fileprivate func untilWaiting(_ count: Int) async {
        while waitingCount != count, !Task.isCancelled { await Task.yield() }
    }
}
