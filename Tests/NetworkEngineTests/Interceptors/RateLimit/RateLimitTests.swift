import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RateLimitTests {
    private func times(_ schedule: inout RateSchedule, _ count: Int, at now: Duration = .zero) -> [Duration?] {
        (0..<count).map { _ in schedule.turn(with: "a", at: now, within: .seconds(100))?.time }
    }

    @Test func `turns come at the rate, after a burst`() {
        var schedule = RateSchedule(count: 2, per: .seconds(1), burst: 3)
        #expect(times(&schedule, 5) == [0, 0, 0, 500, 1000].map { .milliseconds($0) })
        #expect(times(&schedule, 2, at: .seconds(60)) == [.seconds(60), .seconds(60)])
    }

    @Test func `a turn too far away is nobody's`() {
        var schedule = RateSchedule(count: 1, per: .seconds(10), burst: 1)
        let turns = (0..<3).map { _ in schedule.turn(with: "a", at: .zero, within: .seconds(15))?.time }
        #expect(turns == [.zero, .seconds(10), nil])
        #expect(times(&schedule, 1) == [.seconds(20)])
    }

    @Test func `a pause is the whole host's, and after it the rate begins anew`() {
        var schedule = RateSchedule(count: 1, per: .seconds(1), burst: 2)
        let promised = schedule.turn(with: "a", at: .zero, within: .seconds(100))
        schedule.pause("a", until: .seconds(30), at: .zero)
        #expect(promised.map { schedule.isValid($0, with: "a", at: .zero) } == false)
        #expect(times(&schedule, 3) == [30, 31, 32].map { .seconds($0) })
        #expect(schedule.turn(with: "b", at: .zero, within: .zero) != nil)
    }

    @Test func `a turn that is given back is the next one's`() {
        var schedule = RateSchedule(count: 1, per: .seconds(1), burst: 1)
        let turns = (0..<2).compactMap { _ in schedule.turn(with: "a", at: .zero, within: .seconds(9)) }
        schedule.giveBack(turns[1], with: "a")
        schedule.giveBack(turns[1], with: "a")
        #expect(times(&schedule, 1) == [.seconds(1)])
    }

    @Test func `hosts that are not asked are forgotten`() {
        var schedule = RateSchedule(count: 1, per: .seconds(1), burst: 1)
        for host in 0..<1000 { _ = schedule.turn(with: "\(host)", at: .seconds(host), within: .zero) }
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

    @Test func `no answer silences a host for more than an hour`() async throws {
        let clock = TestClock()
        let mock = MockTransport(.status(429, headers: ["Retry-After": "99999999999"]), .status(200))
        let provider = NetworkProvider<API>(mock, [RateLimit(100, burst: 100, clock: clock)])
        _ = await provider.failure(.plain)
        clock.advance(by: .seconds(3599))
        async let second = provider.send(.plain)
        #expect(await clock.advanceToNextSleeper() == .seconds(1))
        _ = try await second
    }

    @Test func `who would have to wait too long fails at once, and who is cancelled gives the turn back`() async throws
    {
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
