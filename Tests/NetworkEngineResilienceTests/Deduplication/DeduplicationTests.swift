import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct DeduplicationTests {
    /// Answers on command, and counts requests and cancellations.
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

    /// Starts calls and returns when all of them wait, with or without a shared exchange.
    private func calls(
        _ count: Int,
        _ interceptors: (Deduplication) -> [any RequestInterceptor] = { [$0] },
        target: @escaping @Sendable (Int) -> TestTarget = { _ in TestTarget() }
    ) async -> [Task<NetworkError?, Never>] {
        let sharing = Deduplication()
        let provider = NetworkProvider<TestTarget>(held, interceptors(sharing))
        let tasks = (0..<count).map { number in Task { await provider.failure(target(number)) } }
        while sharing.waitingCalls < count, held.count.withLock({ $0 }) < count { await Task.yield() }
        return tasks
    }

    @Test func `equal requests share one exchange and its response`() async {
        let calls = await calls(20)
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 1)
    }

    @Test func `a failure is delivered to every request`() async {
        let calls = await calls(5)
        held.gate.settle(503)
        for call in calls { #expect(await call.value?.statusCode == 503) }
        #expect(held.count.withLock { $0 } == 1)
    }

    @Test func `requests with another method, address, credential or language are not shared`() async {
        let targets = [
            TestTarget(), TestTarget(path: "/other"), TestTarget(method: .head),
            TestTarget(headers: ["Authorization": "a"]), TestTarget(headers: ["Accept-Language": "de"]),
        ]
        let calls = await calls(5, target: { targets[$0] })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 5)
    }

    @Test func `calls with another cache policy are not shared`() async throws {
        let sharing = Deduplication()
        let client = HTTPClient(held, [sharing])
        let calls = [CachePolicy.useProtocol, .reload, .bypass].map { policy in
            Task { try await client.send(Endpoint(path: "/a").cachePolicy(policy)) }
        }
        while sharing.waitingCalls < 3 { await Task.yield() }
        held.gate.settle(200)
        for call in calls { _ = try await call.value }
        #expect(held.count.withLock { $0 } == 3)
    }

    @Test func `a request that is not safe is never shared`() async {
        let calls = await calls(3, target: { _ in TestTarget(method: .post) })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 3)
    }

    @Test func `queries with equal bytes share an exchange`() async {
        let bodies = ["a", "a", "b"].map { Data($0.utf8) }
        let calls = await calls(3, target: { TestTarget(method: .query, task: .requestData(bodies[$0])) })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 2)
    }

    @Test func `queries with files are never shared`() async throws {
        let folder = try TemporaryFolder(["a": "one", "b": "two"])
        let files = ["a", "b"].map { folder.url.appendingPathComponent($0) }
        let calls = await calls(2, target: { TestTarget(method: .query, task: .uploadFile(files[$0])) })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 2)
    }

    @Test(arguments: [0, 2])
    func `canceling one request keeps the exchange of the others, also for the first request`(number: Int) async {
        let calls = await calls(3)
        calls[number].cancel()
        #expect(await calls[number].value?.kind == .cancelled)
        held.gate.settle(200)
        for (index, call) in calls.enumerated() where index != number { #expect(await call.value == nil) }
        #expect(held.cancelled.value == nil)
    }

    /// Ends an exchange at its call's deadline, and answers calls without a deadline.
    private final class Late: Transport {
        let entered = OneShot<Void>()
        let gate = OneShot<Void>()

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            guard context.timeLeft != nil else { return HTTPResponse(statusCode: 200, request: request) }
            entered.settle(())
            try await gate.wait()
            throw NetworkError.deadlinePassed(request)
        }
    }

    @Test func `the deadline of the first request does not end the others`() async throws {
        let (sharing, late) = (Deduplication(), Late())
        let hasty = NetworkProvider<API>(late, [sharing]) { $0.deadline = .seconds(3600) }
        let patient = NetworkProvider<API>(late, [sharing])
        let first = Task { await hasty.failure(.plain) }
        try await late.entered.wait()
        let second = Task { await patient.failure(.plain) }
        while sharing.waitingCalls < 2 { await Task.yield() }
        late.gate.settle(())
        #expect(await first.value?.transportFailure == .timeout(.deadline))
        #expect(await second.value == nil)
    }

    @Test func `the exchange ends when the last request is canceled`() async throws {
        let calls = await calls(4)
        // An exchange that is canceled before it has a request never reaches the transport.
        while held.count.withLock({ $0 }) == 0 { await Task.yield() }
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.value?.kind == .cancelled) }
        try await held.cancelled.wait()
    }

    @Test func `a request after the response starts another exchange`() async throws {
        let mock = MockTransport(.status(200), .status(200))
        let provider = NetworkProvider<API>(mock, [Deduplication()])
        _ = try await provider.send(.plain)
        _ = try await provider.send(.plain)
        #expect(mock.requests.count == 2)
    }

    /// Waits regardless of cancellation, and then continues.
    private struct Stubborn: ExchangeInterceptor {
        let entered = OneShot<Void>()
        let gate = OneShot<Void>()
        let isCancelled = Locked(false)

        func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws
            -> HTTPResponse
        {
            entered.settle(())
            await withTaskCancellationHandler {
                await Task { [gate] in try? await gate.wait() }.value
            } onCancel: {
                isCancelled.withLock { $0 = true }
            }
            return try await next(request)
        }

        var stage: InterceptorStage { .sending }
    }

    @Test(arguments: [true, false])
    func `nothing is sent after the end of a call, whatever an interceptor below does`(hasDeadline: Bool) async throws {
        try await rounds(300) { _ in
            let (clock, mock) = (TestClock(), MockTransport())
            mock.on().answers(.status(200).repeating())
            let stubborn = Stubborn()
            let provider = NetworkProvider<API>(mock, [Deduplication(), stubborn]) {
                $0.clock = clock
                if hasDeadline { $0.deadline = .seconds(3) }
            }
            let call = Task { await provider.failure(.plain) }
            try await stubborn.entered.wait()
            if hasDeadline { clock.advance(by: .seconds(3)) } else { call.cancel() }
            // The exchange is canceled before anything else can run, not when the task that waits for it resumes.
            if !hasDeadline { #expect(stubborn.isCancelled.withLock { $0 }) }
            // The interceptor continues as soon as the call may have ended.
            stubborn.gate.settle(())
            #expect(await call.value != nil)
            for _ in 0..<20 { await Task.yield() }
            #expect(mock.requests.isEmpty)
        }
    }

    /// Signs each exchange as a different user.
    private struct Cookies: ExchangeInterceptor {
        let users = Locked(0)

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["Cookie"] = "user=\(users.withLock { $0 += 1; return $0 })"
            return request
        }
    }

    @Test(arguments: [true, false])
    func `a header of an exchange interceptor separates requests at any position in the list`(isInside: Bool) async {
        let calls = await calls(2, { isInside ? [$0, Cookies()] : [Cookies(), $0] })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 2)
    }

    @Test func `requests that share take one permit and one turn`() async {
        let calls = await calls(20, { [$0, ConcurrencyLimit(perHost: 1), RateLimit(1, per: .seconds(86_400))] })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 1)
    }

    @Test func `requests with another timeout or priority are not shared`() async {
        let targets = [TestTarget(), TestTarget(timeout: .seconds(5)), TestTarget(priority: .high)]
        let calls = await calls(3, target: { targets[$0] })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 3)
    }

    @Test func `requests with another transport, timeout or limit of a configuration are not shared`() async {
        let (sharing, other) = (Deduplication(), Held())
        let providers = [
            NetworkProvider<TestTarget>(held, [sharing]), NetworkProvider(other, [sharing]),
            NetworkProvider(held, [sharing]) { $0.timeout = .seconds(5) },
            NetworkProvider(held, [sharing]) { $0.limits.bodyInMemory = 5 },
        ]
        let calls = providers.map { provider in Task { await provider.failure(TestTarget()) } }
        while sharing.waitingCalls < 4 { await Task.yield() }
        held.gate.settle(200)
        other.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 3)
        #expect(other.count.withLock { $0 } == 1)
    }

    @Test func `the second request of a hedge does not join the first`() async {
        let (clock, sharing) = (TestClock(), Deduplication())
        let hedging = Hedging(after: .seconds(1), extraLoad: 1, clock: clock)
        let provider = NetworkProvider<TestTarget>(held, [hedging, sharing])
        async let error = provider.failure(TestTarget())
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        while sharing.waitingCalls < 2 { await Task.yield() }
        while held.count.withLock({ $0 }) < 2 { await Task.yield() }
        held.gate.settle(200)
        #expect(await error == nil)
    }

    @Test func `a request that joined a timed-out exchange is sent again once`() async {
        let (gate, sharing) = (OneShot<Void>(), Deduplication())
        let mock = MockTransport(
            MockAnswer.handler { _ in
                try await gate.wait()
                return .failure(.timeout(.attempt))
            }.repeating()
        )
        let provider = NetworkProvider<TestTarget>(mock, [sharing])
        let calls = (0..<5).map { _ in Task { await provider.failure(TestTarget()) } }
        while sharing.waitingCalls < 5 { await Task.yield() }
        gate.settle(())
        for call in calls { #expect(await call.value?.kind == .timeout) }
        #expect((2...5).contains(mock.requests.count))
    }

    @Test(arguments: [true, false])
    func `a credential separates requests at any position in the list`(isInside: Bool) async {
        let users = Locked(0)
        let source = TokenSource {
            users.withLock { users in
                users += 1
                return "user \(users)"
            }
        }
        let calls = await calls(2, { isInside ? [$0, source] : [source, $0] })
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 2)
    }

    @Test func `an ignored header may be named in any case`() async {
        var sharing = Deduplication()
        sharing.ignoredHeaders.insert("X-Trace")
        let provider = NetworkProvider<TestTarget>(held, [sharing])
        let targets = [TestTarget(headers: ["x-trace": "1"]), TestTarget(headers: ["X-TRACE": "2"])]
        let calls = targets.map { target in Task { await provider.failure(target) } }
        while sharing.waitingCalls < 2 { await Task.yield() }
        held.gate.settle(200)
        for call in calls { #expect(await call.value == nil) }
        #expect(held.count.withLock { $0 } == 1)
    }

    @Test func `a circuit counts a shared exchange once`() async {
        let breaker = CircuitBreaker(failureRatio: 0.5, minimumCalls: 2)
        let calls = await calls(20, { [breaker, $0] })
        held.gate.settle(503)
        for call in calls { #expect(await call.value?.statusCode == 503) }
        #expect(breaker.state(for: API.base) == .closed)
    }
}
