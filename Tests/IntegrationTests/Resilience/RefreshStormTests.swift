import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .serialized) struct RefreshStormTests {
    /// `.ci/run` uses the long form.
    private static let count = TestLength.count(100, sanitized: 300, gate: 2_000, whole: 10_000)
    private static let renewed = LoopbackResponse.json(#"{"token": "new"}"#)

    /// About half of the calls.
    private static var half: Set<Int> {
        var random = SeededGenerator(seed: 5)
        return Set((0..<count).filter { _ in Bool.random(using: &random) })
    }

    @Test func `any number of calls with a stale token share one refresh, and all succeed`() async throws {
        let storm = try RefreshStorm(answering: Self.renewed)
        storm.barrier.open()
        let endings = await RefreshStorm.endings(of: storm.start(Self.count))
        #expect(endings == [nil: Self.count])
        #expect(storm.refreshCount == 1)
        #expect(storm.mostExchanges <= 2)
        #expect(storm.store.current?.accessToken == "new")
    }

    @Test func `when half of the calls are canceled, the refresh completes and the others succeed`() async throws {
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
    func `when half of the calls are canceled and the refresh fails, the others get its error`(
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

    @Test func `when half of the calls are canceled and the refresh hangs, the others fail in time`()
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
    func `when half of the calls are canceled with few permits, the others finish`(places: Int) async throws {
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
        // The canceled caller resumes before its request leaves the queue.
        while limit.waitingCount > 0 { await Task.yield() }
    }

    @Test func `when all calls are canceled, the refreshed credential is stored`() async throws {
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
    func `a failed refresh fails every waiting call, and only new calls start another`(
        answer: LoopbackResponse
    ) async throws {
        let storm = try RefreshStorm(answering: answer)
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(Self.count)) == [.authentication: Self.count])
        // URLSession on Linux may send a POST twice if its connection is reset.
        #expect((1...10).contains(storm.refreshCount))
        #expect(storm.mostExchanges == 1)
        #expect(storm.store.current?.accessToken == "old")
    }

    @Test func `the end of a session fails every call`() async throws {
        var answer = LoopbackResponse.json(#"{"error": "invalid_grant"}"#)
        answer.status = 400
        let storm = try RefreshStorm(answering: answer)
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(Self.count)) == [.authentication: Self.count])
        #expect(storm.refreshCount == 1)
        #expect(storm.store.current == nil)
    }

    @Test func `a refresh that hangs fails every waiting call at its timeout`() async throws {
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
    func `calls and their refresh do not deadlock with few permits`(places: Int) async throws {
        let limit = ConcurrencyLimit(total: places, perHost: places, queueLength: .max)
        let storm = try RefreshStorm(answering: Self.renewed, interceptors: [limit])
        storm.barrier.open()
        #expect(await RefreshStorm.endings(of: storm.start(Self.count)) == [nil: Self.count])
        #expect(storm.refreshCount == 1)
        #expect(storm.mostExchanges <= 2)
    }
}
