import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeduplicationTests {
    /// Answers when it is told to, and counts what it was asked and what was cancelled.
    private final class Held: Transport {
        let count = Locked(0)
        let cancelled = OneShot<Void>()
        let gate = OneShot<Int>()

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            count.withLock { $0 += 1 }
            do {
                return HTTPResponse(statusCode: try await gate.wait(), request: request)
            } catch {
                cancelled.settle(())
                throw error
            }
        }
    }

    private let held = Held()

    /// Starts calls and returns when all of them wait, together or each for itself.
    private func calls(
        _ count: Int,
        _ target: @escaping @Sendable (Int) -> TestTarget = { _ in TestTarget() }
    ) async -> [Task<NetworkError?, Never>] {
        let sharing = Deduplication()
        let provider = NetworkProvider<TestTarget>(held, [sharing])
        let tasks = (0..<count).map { number in Task { await provider.failure(target(number)) } }
        while sharing.waitingCalls < count, held.count.withLock({ $0 }) < count { await Task.yield() }
        return tasks
    }

    @Test func `requests for the same share one exchange, and its answer`() async {
        let calls = await calls(20)
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 1)
    }

    @Test func `a failure is everybody's`() async {
        let calls = await calls(5)
        held.gate.settle(503)
        for call in calls { #expect(await call.value?.statusCode == 503) }
        #expect(held.count.withLock { $0 } == 1)
    }

    @Test func `another method, address, credential or language is another request`() async {
        let targets = [
            TestTarget(), TestTarget(path: "/other"), TestTarget(method: .head),
            TestTarget(headers: ["Authorization": "a"]), TestTarget(headers: ["Accept-Language": "de"]),
        ]
        let calls = await calls(5) { targets[$0] }
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 5)
    }

    @Test func `what may change something is never shared`() async {
        let calls = await calls(3) { _ in TestTarget(method: .post) }
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 3)
    }

    @Test(arguments: [0, 2])
    func `who is cancelled leaves the others their exchange, also who began it`(number: Int) async {
        let calls = await calls(3)
        calls[number].cancel()
        #expect(await calls[number].value?.kind == .cancelled)
        held.gate.settle(200)
        for (index, call) in calls.enumerated() where index != number { #expect(await call.value == nil) }
        #expect(held.cancelled.value == nil)
    }

    @Test func `the deadline of who began it is not the others'`() async throws {
        struct Late: RequestInterceptor {
            let entered = OneShot<Void>()
            let gate = OneShot<Void>()
            func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws
                -> HTTPResponse
            {
                guard context.timeLeft != nil else { return try await next(request) }
                entered.settle(())
                try await gate.wait()
                throw NetworkError.deadlinePassed(request)
            }
        }
        let (sharing, late) = (Deduplication(), Late())
        let mock = MockTransport(.status(200))
        let hasty = NetworkProvider<API>(mock, [sharing, late]) { $0.deadline = .seconds(3600) }
        let patient = NetworkProvider<API>(mock, [sharing, late])
        let first = Task { await hasty.failure(.plain) }
        try await late.entered.wait()
        let second = Task { await patient.failure(.plain) }
        while sharing.waitingCalls < 2 { await Task.yield() }
        late.gate.settle(())
        #expect(await first.value?.transportFailure == .timeout(.deadline))
        #expect(await second.value == nil)
    }

    @Test func `when the last one is cancelled, the exchange ends`() async throws {
        let calls = await calls(4)
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.value?.kind == .cancelled) }
        try await held.cancelled.wait()
    }

    @Test func `what comes after the answer asks again`() async throws {
        let mock = MockTransport(.status(200), .status(200))
        let provider = NetworkProvider<API>(mock, [Deduplication()])
        _ = try await provider.send(.plain)
        _ = try await provider.send(.plain)
        #expect(mock.requests.count == 2)
    }
}
