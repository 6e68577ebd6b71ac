import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ConcurrencyLimitTests {
    /// A transport that delays each request until it is released, and counts them.
    private final class Holding: Transport {
        let running = Locked((now: 0, most: 0))
        let gate = OneShot<Void>()

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { running.withLock { $0.now -= 1 } }
            try await gate.wait()
            await Task.yield()
            return HTTPResponse(statusCode: 200, request: request)
        }

        func reached(_ count: Int) async { while running.withLock({ $0.now }) < count { await Task.yield() } }
    }

    @Test func `no more requests than allowed run at a time, and all run`() async throws {
        let transport = Holding()
        let provider = NetworkProvider<API>(transport, [ConcurrencyLimit(total: 3, perHost: 2)])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await provider.send(.plain) } }
            for _ in 0..<20 { group.addTask { _ = try await provider.send(.at("http://other.test/")) } }
            await transport.reached(3)
            transport.gate.settle(())
            try await group.waitForAll()
        }
        #expect(transport.running.withLock { $0.most } == 3)
    }

    @Test func `a request beyond the queue limit fails at once`() async throws {
        let transport = Holding()
        let limit = ConcurrencyLimit(total: 1, perHost: 1, queueLength: 0)
        let provider = NetworkProvider<API>(transport, [limit])
        async let first = provider.send(.plain)
        await transport.reached(1)
        let error = await provider.failure(.plain)
        #expect(error?.kind == .limit && error?.figures.waiting == 0)
        #expect(error?.reason == "the queue of the ConcurrencyLimit is full")
        transport.gate.settle(())
        _ = try await first
        _ = try await provider.send(.plain)
    }

    @Test func `a request that is canceled in the queue takes no permit`() async throws {
        let transport = Holding()
        let provider = NetworkProvider<API>(transport, [ConcurrencyLimit(total: 1, perHost: 1, queueLength: 1)])
        async let first = provider.send(.plain)
        await transport.reached(1)
        for _ in 0..<10 {
            let waiting = Task { await provider.failure(.plain) }
            for _ in 0..<10 { await Task.yield() }
            waiting.cancel()
            #expect(await waiting.value?.kind == .cancelled)
        }
        transport.gate.settle(())
        _ = try await first
        _ = try await provider.send(.plain)
    }

    @Test func `additional permits go to waiting requests`() async throws {
        let transport = Holding()
        let limit = ConcurrencyLimit(total: 1, perHost: 1)
        let provider = NetworkProvider<API>(transport, [limit])
        let calls = (0..<3).map { _ in Task { await provider.failure(.plain) } }
        await transport.reached(1)
        limit.resize(total: 3, perHost: 3)
        await transport.reached(3)
        transport.gate.settle(())
        for call in calls { #expect(await call.value == nil) }
    }

    @Test func `a request with a higher priority runs first`() async throws {
        let transport = Holding()
        let order = Locked<[String]>([])
        struct Note: ExchangeInterceptor {
            let order: Locked<[String]>
            var stage: InterceptorStage { .sending }
            func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws
                -> HTTPResponse
            {
                order.withLock { $0.append(request.url.lastPathComponent) }
                return try await next(request)
            }
        }
        let line = ConcurrencyLimit(total: 1, perHost: 1)
        let provider = NetworkProvider<TestTarget>(transport, [line, Note(order: order)])
        var calls = [Task { await provider.failure(TestTarget(path: "/first")) }]
        await transport.reached(1)
        for (name, priority) in [("/low", TransportContext.Priority.low), ("/normal", .normal), ("/high", .high)] {
            calls.append(Task { await provider.failure(TestTarget(path: name, priority: priority)) })
            while line.waitingCount < calls.count - 1 { await Task.yield() }
        }
        transport.gate.settle(())
        for call in calls { #expect(await call.value == nil) }
        #expect(order.withLock { $0 } == ["first", "high", "normal", "low"])
    }

    @Test func `a request waits for a permit no longer than its deadline`() async throws {
        let clock = TestClock()
        let transport = Holding()
        let line = ConcurrencyLimit(total: 1, perHost: 1)
        let provider = NetworkProvider<API>(transport, [line]) {
            $0.clock = clock
            $0.deadline = .seconds(5)
        }
        let patient = NetworkProvider<API>(transport, [line])
        async let first = patient.send(.plain)
        await transport.reached(1)
        let second = Task { await provider.failure(.plain) }
        while line.waitingCount < 1 { await Task.yield() }
        clock.advance(by: .seconds(5))
        #expect(await second.value?.transportFailure == .timeout(.deadline))
        // The caller can return before the queue is updated.
        while line.waitingCount > 0 { await Task.yield() }
        transport.gate.settle(())
        _ = try await first
    }

    @Test func `no permit goes to a call that cannot make its deadline`() async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock)
        mock.on().answers(.status(200).delayed(by: .seconds(2)).repeating())
        let line = ConcurrencyLimit(total: 1, perHost: 1)
        let provider = NetworkProvider<API>(mock, [line]) {
            $0.clock = clock
            $0.deadline = .seconds(5)
        }
        // The second call gets its permit after two seconds, the third when one second is left.
        var calls: [Task<NetworkError?, Never>] = []
        for number in 0..<3 {
            calls.append(Task { await provider.failure(.plain) })
            while line.waitingCount < number || mock.requests.isEmpty { await Task.yield() }
        }
        for number in 1...2 {
            while mock.requests.count < number { await Task.yield() }
            await clock.untilSleeping(within: .seconds(2))
            clock.advance(by: .seconds(2))
        }
        let errors = [await calls[0].value, await calls[1].value]
        #expect(errors.allSatisfy { $0 == nil })
        let error = await calls[2].value
        #expect(error?.transportFailure == .timeout(.deadline) && error?.attempts.count == 1)
        #expect(error?.reason.hasPrefix("the call's deadline cannot be met") == true)
        #expect(error?.figures.timeSpent == TimeSpent(queue: .seconds(4)))
        #expect(error?.localizedDescription == "The request took too long. Please try again.")
        #expect(mock.requests.count == 2)
    }

    @Test func `a fast call is sent after slow calls to its host, whatever those took`() async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock)
        mock.on(.get, "/v1/things").answers(.status(200).delayed(by: .seconds(2)).repeating())
        mock.on(.get, "/v1/fast").answers(.status(200).repeating())
        let line = ConcurrencyLimit(total: 1, perHost: 1)
        let provider = NetworkProvider<API>(mock, [line]) {
            $0.clock = clock
            $0.deadline = .seconds(5)
        }
        var calls: [Task<NetworkError?, Never>] = []
        // The last call gets its permit after four seconds, when one is left.
        for (number, target) in [API.plain, .plain, .at("/fast")].enumerated() {
            calls.append(Task { await provider.failure(target) })
            while line.waitingCount < number || mock.requests.isEmpty { await Task.yield() }
        }
        for number in 1...2 {
            while mock.requests.count < number { await Task.yield() }
            await clock.untilSleeping(within: .seconds(2))
            clock.advance(by: .seconds(2))
        }
        for call in calls { #expect(await call.value == nil) }
        #expect(mock.requests.last?.url.lastPathComponent == "fast")
    }

    @Test func `a refresh runs when all permits are taken and the queue is full`() {
        var line = PermitQueue(total: 1, perHost: 1, length: 0)
        let holder = line.enter(host: "a", rank: .normal)
        let refused = line.enter(host: "a", rank: .high)
        let refresh = line.enter(host: "a", rank: .refresh)
        let next = line.enter(host: "a", rank: .refresh)
        #expect(holder?.permit == nil && holder != nil)
        #expect(refused == nil)
        #expect(refresh != nil && refresh?.permit == nil)
        #expect(next?.permit != nil)
    }

    @Test func `each redirect takes a permit of its own`() async throws {
        let mock = MockTransport(
            .status(302, headers: ["Location": "http://other.test/"]),
            .status(302, headers: ["Location": "http://api.test/end"]),
            .status(200)
        )
        let provider = NetworkProvider<API>(mock, [ConcurrencyLimit(total: 1, perHost: 1, queueLength: 0)])
        _ = try await provider.send(.plain)
        #expect(mock.requests.count == 3)
    }
}
