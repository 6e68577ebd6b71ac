import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized) struct RefreshStormTests {
    /// The long form is for `.ci/run`.
    private static let count = ProcessInfo.processInfo.environment["NETWORKENGINE_LONG"] == nil ? 300 : 10_000
    private static let renewed = LoopbackResponse.json(#"{"token": "new"}"#)

    /// Some half of the calls.
    private static var half: Set<Int> {
        var random = SeededGenerator(seed: 5)
        return Set((0..<count).filter { _ in Bool.random(using: &random) })
    }

    @Test func `A1: however many calls have a stale token, there is one renewal, and all succeed`() async throws {
        let storm = try RefreshStorm(answering: Self.renewed)
        storm.barrier.open()
        let endings = await RefreshStorm.endings(of: storm.start(Self.count))
        #expect(endings == [nil: Self.count])
        #expect(storm.refreshCount == 1)
        #expect(storm.mostExchanges <= 2)
        #expect(storm.store.current?.accessToken == "new")
    }

    @Test func `A5: half of them cancelled during the renewal, it completes, and the others succeed`() async throws {
        let storm = try RefreshStorm(answering: Self.renewed)
        let calls = storm.start(Self.count)
        try await storm.barrier.arrivals(atLeast: 1)
        let cancelled = Self.half
        for number in cancelled { calls[number].cancel() }
        storm.barrier.open()
        let endings = await RefreshStorm.endings(of: calls)
        #expect(endings == [nil: Self.count - cancelled.count, .cancelled: cancelled.count])
        #expect(storm.refreshCount == 1)
        #expect(storm.mostExchanges <= 2)
        #expect(storm.store.current == BearerToken("new", refreshToken: "r2"))
    }

    @Test(arguments: [
        LoopbackResponse.status(500), .text("<html>not a token</html>"), .json("{}"),
        .status(200).fault(.reset, at: .responseHead(afterBytes: 1)),
    ])
    func `A4, A5: half of them cancelled during a renewal that fails, the others hear of the failure`(
        answer: LoopbackResponse
    ) async throws {
        let storm = try RefreshStorm(answering: answer)
        let calls = storm.start(Self.count)
        try await storm.barrier.arrivals(atLeast: 1)
        let cancelled = Self.half
        for number in cancelled { calls[number].cancel() }
        storm.barrier.open()
        let endings = await RefreshStorm.endings(of: calls)
        #expect(endings == [.authentication: Self.count - cancelled.count, .cancelled: cancelled.count])
        #expect(storm.mostExchanges == 1)
        #expect(storm.store.current?.accessToken == "old")
    }

    @Test func `A5, A6: half of them cancelled during a renewal that hangs, the others hear of that in time`()
        async throws
    {
        let storm = try RefreshStorm(answering: Self.renewed)
        let calls = storm.start(Self.count)
        try await storm.barrier.arrivals(atLeast: 1)
        let cancelled = Self.half
        for number in cancelled { calls[number].cancel() }
        let ticking = storm.ticking()
        let endings = await RefreshStorm.endings(of: calls)
        ticking.cancel()
        #expect(endings == [.authentication: Self.count - cancelled.count, .cancelled: cancelled.count])
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(1)) == [nil: 1])
    }

    @Test(arguments: [1, 5])
    func `A5, A9: half of them cancelled while few have a place, nobody is stuck`(places: Int) async throws {
        let limit = ConcurrencyLimit(total: places, perHost: places, queueLength: .max)
        let storm = try RefreshStorm(answering: Self.renewed, interceptors: [limit])
        let calls = storm.start(Self.count)
        try await storm.barrier.arrivals(atLeast: 1)
        let cancelled = Self.half
        for number in cancelled { calls[number].cancel() }
        storm.barrier.open()
        let endings = await RefreshStorm.endings(of: calls)
        #expect(endings == [nil: Self.count - cancelled.count, .cancelled: cancelled.count])
        #expect(storm.refreshCount == 1)
        // The cancelled caller continues before its request leaves the queue.
        while limit.waitingCount > 0 { await Task.yield() }
    }

    @Test func `A5: all of them cancelled, what the renewal brings is stored`() async throws {
        let storm = try RefreshStorm(answering: Self.renewed)
        let calls = storm.start(Self.count)
        try await storm.barrier.arrivals(atLeast: 1)
        for call in calls { call.cancel() }
        #expect(await RefreshStorm.endings(of: calls) == [.cancelled: Self.count])
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(1)) == [nil: 1])
        #expect(storm.refreshCount == 1)
    }

    @Test(arguments: [
        LoopbackResponse.status(500), .text("<html>not a token</html>"), .json("{}"), .status(204), .fault(.reset),
    ])
    func `A4, A13: a renewal that fails is everybody's failure, and tried again only by new calls`(
        answer: LoopbackResponse
    ) async throws {
        let storm = try RefreshStorm(answering: answer)
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(Self.count)) == [.authentication: Self.count])
        // URLSession on Linux may send a POST twice when its connection is reset.
        #expect((1...10).contains(storm.refreshCount))
        #expect(storm.mostExchanges == 1)
        #expect(storm.store.current?.accessToken == "old")
    }

    @Test func `A13: a session that is over is over for everybody`() async throws {
        var answer = LoopbackResponse.json(#"{"error": "invalid_grant"}"#)
        answer.status = 400
        let storm = try RefreshStorm(answering: answer)
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(Self.count)) == [.authentication: Self.count])
        #expect(storm.refreshCount == 1)
        #expect(storm.store.current == nil)
    }

    @Test func `A6: a renewal that hangs is everybody's failure when its time is up`() async throws {
        let storm = try RefreshStorm(answering: Self.renewed)
        let calls = storm.start(Self.count)
        try await storm.barrier.arrivals(atLeast: 1)
        let ticking = storm.ticking()
        let endings = await RefreshStorm.endings(of: calls)
        ticking.cancel()
        #expect(endings == [.authentication: Self.count])
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(1)) == [nil: 1])
    }

    @Test(arguments: [1, 5])
    func `A9: with few places for all there is no deadlock`(places: Int) async throws {
        let limit = ConcurrencyLimit(total: places, perHost: places, queueLength: .max)
        let storm = try RefreshStorm(answering: Self.renewed, interceptors: [limit])
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(Self.count)) == [nil: Self.count])
        #expect(storm.refreshCount == 1)
        #expect(storm.mostExchanges <= 2)
    }
}
