import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CircuitBreakerTests {
    private func fail(_ breaker: CircuitBreaker, _ answer: MockAnswer, times: Int = 2) async {
        let provider = NetworkProvider<API>(MockTransport(answer.repeating()), [breaker])
        for _ in 0..<times { _ = await provider.failure(.plain) }
    }

    @Test(arguments: [
        (MockAnswer.status(500), CircuitState.open), (.status(503), .open), (.failure(.connect), .open),
        (.failure(.timeout(.attempt)), .open), (.failure(.lostBeforeResponse), .open), (.status(429), .closed),
        (.status(404), .closed), (.status(401), .closed), (.status(200), .closed), (.failure(.requestBody), .closed),
    ])
    func `only failures of the host open the circuit`(answer: MockAnswer, state: CircuitState) async {
        let breaker = CircuitBreaker(minimumCalls: 2, clock: TestClock())
        await fail(breaker, answer)
        #expect(breaker.state(for: API.base) == state)
    }

    @Test func `an open circuit sends nothing, names the delay and is not retried`() async {
        let clock = TestClock()
        let breaker = CircuitBreaker(minimumCalls: 2, breakTime: .seconds(5), clock: clock)
        await fail(breaker, .status(500))
        let mock = MockTransport()
        let error = await NetworkProvider<API>(mock, [RetryPolicy(), breaker]).failure(.plain)
        #expect(error?.kind == .limit)
        #expect(error?.retryAfter == .seconds(5))
        #expect(error?.attempts.count == 1)
        #expect(mock.requests.isEmpty)
    }

    @Test func `each host has its own circuit`() async throws {
        let breaker = CircuitBreaker(minimumCalls: 2, clock: TestClock())
        await fail(breaker, .status(500))
        let provider = NetworkProvider<API>(MockTransport(.status(200)), [breaker])
        _ = try await provider.send(.at("http://other.test/"))
    }

    @Test func `each template has its own circuit, and calls without one share that of the host`() async throws {
        let mock = MockTransport()
        mock.on(.get, "**/ok/:id").answers(.status(204).repeating())
        mock.on().answers(.status(500).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let changes = Locked<[String]>([])
        let breaker = CircuitBreaker(minimumCalls: 2, clock: TestClock()) { host, _ in
            changes.withLock { $0.append(host) }
        }
        let client = HTTPClient(baseURL: API.base, interceptors: [breaker], configuration: configuration)
        for id in 0..<2 {
            await #expect(throws: NetworkError.self) { try await client.send(.get("/orders/\(id)")) }
            let text = ["/users", "\(id)"].joined(separator: "/")
            await #expect(throws: NetworkError.self) { try await client.send(.get(text)) }
        }
        try await client.send(.get("/ok/\(7)"))
        for template in ["/orders/{}", nil] { #expect(breaker.state(for: API.base, template: template) == .open) }
        #expect(breaker.state(for: API.base, template: "/ok/{}") == .closed)
        let origin = API.base.origin.text
        #expect(changes.withLock { $0 } == [origin + "/orders/{}", origin])
        breaker.reset(API.base)
        #expect(breaker.state(for: API.base) == .closed)
        breaker.isolate(API.base)
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/ok/\(7)")) }
        #expect(error?.underlying as? CircuitOpen == CircuitOpen(retryAfter: nil))
        #expect(error?.localizedDescription == "The service is not available right now. Please try again later.")
    }

    @Test func `after the break one request closes the circuit, and each change is reported`() async throws {
        let clock = TestClock()
        let changes = Locked<[CircuitState]>([])
        let breaker = CircuitBreaker(minimumCalls: 2, clock: clock) { _, state in changes.withLock { $0.append(state) }
        }
        await fail(breaker, .status(500))
        clock.advance(by: .seconds(5))
        _ = try await NetworkProvider<API>(MockTransport(.status(200)), [breaker]).send(.plain)
        #expect(changes.withLock { $0 } == [.open, .halfOpen, .closed])
    }

    @Test func `a circuit can be opened and closed by hand`() async throws {
        let breaker = CircuitBreaker()
        let provider = NetworkProvider<API>(MockTransport(.status(200)), [breaker])
        breaker.isolate(API.base)
        #expect(await provider.failure(.plain)?.underlying is CircuitOpen)
        breaker.reset(API.base)
        _ = try await provider.send(.plain)
    }

    @Test func `an isolated origin is isolated for every template, until a reset`() {
        let breaker = CircuitBreaker()
        breaker.isolate(API.base)
        for template in ["/users/{}", nil] { #expect(breaker.state(for: API.base, template: template) == .isolated) }
        breaker.reset(API.base)
        for template in ["/users/{}", nil] { #expect(breaker.state(for: API.base, template: template) == .closed) }
    }

    /// Keeps each exchange queued or running until it's canceled.
    private struct Held: TransportDriver {
        let admits: Bool
        let began = OneShot<Void>()
        var identity: ObjectIdentifier? { nil }

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            if admits { context.admitted() }
            began.settle(())
            let stopped = OneShot<Void>()
            context.onInterruption { stopped.settle(()) }
            try await stopped.wait()
            throw CancellationError()
        }
    }

    @Test(arguments: [(false, CircuitState.closed), (true, .open)])
    func `a deadline that passes in the queue does not count as a failure of the host`(
        admits: Bool, state: CircuitState
    ) async {
        let clock = TestClock()
        let breaker = CircuitBreaker(minimumCalls: 1, clock: clock)
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (Held(admits: admits), clock)
        (configuration.deadline, configuration.attemptLimit) = (.seconds(3), 1)
        let provider = NetworkProvider<API>(interceptor: breaker, configuration: configuration)
        let call = Task { await provider.failure(.plain) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(3))
        #expect(await call.value?.transportFailure == .timeout(.deadline))
        #expect(breaker.state(for: API.base) == state)
    }

    @Test(arguments: ["decoded", "started", "beside a hook that may wait", "shared", "downloaded"])
    func `a host that lets deadlines pass opens the circuit in every style of call`(style: String) async {
        let clock = TestClock()
        let breaker = CircuitBreaker(minimumCalls: 1, clock: clock)
        var configuration = NetworkConfiguration()
        let held = Held(admits: true)
        (configuration.transport, configuration.clock) = (held, clock)
        (configuration.deadline, configuration.attemptLimit) = (.seconds(3), 1)
        let hooks: [any RequestInterceptor] = style == "shared" ? [Deduplication()] : [TokenSource { "t" }]
        let provider = NetworkProvider<API>(interceptors: [breaker] + hooks, configuration: configuration)
        let call = Task {
            switch style {
            case "downloaded": _ = try? await provider.download(.plain)
            case "decoded": _ = try? await provider.request(.plain, as: [String].self)
            case "started": _ = await provider.start(.plain, as: [String].self).result
            default: _ = await provider.failure(.plain)
            }
        }
        try? await held.began.wait()
        await clock.untilSleeping()
        clock.advance(by: .seconds(3))
        await call.value
        // The exchange ends after the call that it belonged to.
        while breaker.state(for: API.base) == .closed, !Task.isCancelled { await Task.yield() }
        #expect(breaker.state(for: API.base) == .open)
    }

    @Test func `a deadline that passes during a token refresh does not count as a failure of the host`() async {
        let clock = TestClock()
        let breaker = CircuitBreaker(minimumCalls: 1, clock: clock)
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (MockTransport(.status(200)), clock)
        (configuration.deadline, configuration.attemptLimit) = (.seconds(3), 1)
        let (hasStarted, end) = (OneShot<Void>(), OneShot<BearerToken>())
        let store = InMemoryCredentialStore(BearerToken("old", expiresAt: .distantPast))
        let refresher = TokenRefresher(store: store) { _, _ in
            hasStarted.settle(())
            return try await end.wait()
        }
        let provider = NetworkProvider<API>(interceptors: [breaker, refresher], configuration: configuration)
        let call = Task { await provider.failure(.plain) }
        try? await hasStarted.wait()
        await clock.untilSleeping()
        clock.advance(by: .seconds(3))
        let failure = await call.value
        #expect(failure?.transportFailure == .timeout(.deadline))
        #expect(breaker.state(for: API.base) == .closed)
        end.settle(BearerToken("new"))
    }

    @Test(arguments: [(2, CircuitState.open), (4, .closed)])
    func `the host is judged by the time that it had`(secondsInQueue: Int, state: CircuitState) async {
        let clock = TestClock()
        let breaker = CircuitBreaker(minimumCalls: 1, clock: clock)
        var configuration = NetworkConfiguration()
        (configuration.clock, configuration.deadline, configuration.attemptLimit) = (clock, .seconds(5), 1)
        let limit = ConcurrencyLimit(total: 1, perHost: 1)
        let (server, held) = (Held(admits: true), MockTransport(.hang))
        configuration.transport = server
        let first = NetworkProvider<API>(held, [limit])
        let second = NetworkProvider<API>(interceptors: [breaker, limit], configuration: configuration)
        let holding = Task { await first.failure(.plain) }
        while held.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        let waiting = Task { await second.failure(.plain) }
        while limit.waitingCount == 0, !Task.isCancelled { await Task.yield() }
        clock.advance(by: .seconds(secondsInQueue))
        holding.cancel()
        _ = await holding.value
        try? await server.began.wait()
        clock.advance(by: .seconds(5 - secondsInQueue))
        let error = await waiting.value
        #expect(error?.transportFailure == .timeout(.deadline))
        #expect(error?.figures.timeSpent?.queue == .seconds(secondsInQueue))
        #expect(error?.figures.timeSpent?.server == .seconds(5 - secondsInQueue))
        #expect(breaker.state(for: API.base) == state)
    }

    @Test func `a deadline that passes in a ConcurrencyLimit does not count as a failure of the host`() async {
        let clock = TestClock()
        let breaker = CircuitBreaker(minimumCalls: 1, clock: clock)
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (Held(admits: true), clock)
        (configuration.deadline, configuration.attemptLimit) = (.seconds(3), 1)
        let limit = ConcurrencyLimit(total: 1, perHost: 1)
        let first = NetworkProvider<API>(interceptor: limit, configuration: configuration)
        let second = NetworkProvider<API>(interceptors: [breaker, limit], configuration: configuration)
        let holding = Task { await first.failure(.plain) }
        await clock.untilSleeping()
        let waiting = Task { await second.failure(.plain) }
        while limit.waitingCount == 0, !Task.isCancelled { await Task.yield() }
        clock.advance(by: .seconds(3))
        #expect(await waiting.value?.transportFailure == .timeout(.deadline))
        #expect(breaker.state(for: API.base) == .closed)
        _ = await holding.value
    }

    @Test func `a cancellation does not count as a failure of the host`() async {
        let breaker = CircuitBreaker(minimumCalls: 1, clock: TestClock())
        let provider = NetworkProvider<API>(MockTransport(.hang), [breaker])
        let call = Task { await provider.failure(.plain) }
        for _ in 0..<10 { await Task.yield() }
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
        #expect(breaker.state(for: API.base) == .closed)
    }
}
