import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The policy in an engine over a scripted transport.
@Suite(.timeLimit(.minutes(5))) struct RetryPolicyTests {
    private static let down = MockAnswer.status(503).repeating()

    /// A policy that doesn't wait.
    private func policy(_ attempts: Int = 3, budget: RetryBudget? = RetryBudget()) -> RetryPolicy {
        RetryPolicy(attemptLimit: attempts, backoff: .constant(.zero), budget: budget)
    }

    private func error(
        _ mock: MockTransport,
        _ policy: RetryPolicy,
        _ target: API = .plain,
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) async -> NetworkError? {
        let provider = NetworkProvider<API>(mock, [policy], change)
        return await #expect(throws: NetworkError.self) { try await provider.send(target) }
    }

    @Test func `the third attempt returns the response`() async throws {
        let mock = MockTransport(.failure(.dns), .status(503), .status(200))
        _ = try await NetworkProvider<API>(mock, [policy()]).send(.plain)
        #expect(mock.requests.count == 3)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 9])
    func `without a limit of the configuration, that of the policy applies, up to five`(limit: Int) async {
        let mock = MockTransport(Self.down)
        _ = await error(mock, policy(limit))
        #expect(mock.requests.count == min(limit, 5))
    }

    @Test func `a policy that is added to a provider can allow more attempts than the one in its list`() async {
        let mock = MockTransport(Self.down)
        let provider = NetworkProvider<API>(mock, [policy()]).adding(policy(5))
        await #expect(throws: NetworkError.self) { try await provider.send(.plain) }
        #expect(mock.requests.count == 5)
    }

    @Test(arguments: [(1, 9), (2, 9), (3, 9), (9, 2), (9, 9)])
    func `the smaller limit of policy and engine ends the call`(policy: Int, engine: Int) async {
        let mock = MockTransport(Self.down)
        _ = await error(mock, self.policy(policy)) { $0.attemptLimit = engine }
        #expect(mock.requests.count == min(policy, engine, 5))
    }

    @Test func `delays use the engine's clock and are listed in the error`() async {
        let clock = TestClock()
        let policy = RetryPolicy(backoff: .exponential(base: .seconds(1)), random: { 1 })
        async let error = error(MockTransport(Self.down), policy) { $0.clock = clock }
        #expect(await clock.advanceToNextSleeper(within: .seconds(9)) == .seconds(1))
        #expect(await clock.advanceToNextSleeper(within: .seconds(9)) == .seconds(2))
        #expect(await error?.attempts.map(\.delay) == [.seconds(1), .seconds(2), nil])
    }

    @Test func `a response returns the cost of the last retry to the budget`() async throws {
        let budget = RetryBudget(capacity: 500)
        let mock = MockTransport(.status(500), .status(502), .status(200))
        _ = try await NetworkProvider<API>(mock, [policy(budget: budget)]).send(.plain)
        #expect(budget.available == 486)
    }

    @Test func `a failed call returns nothing to the budget`() async {
        let budget = RetryBudget(capacity: 500)
        _ = await error(MockTransport(Self.down), policy(budget: budget))
        #expect(budget.available == 472)
    }

    @Test func `a throttled retry costs less`() async {
        let budget = RetryBudget(capacity: 500)
        let policy = RetryPolicy(budget: budget, random: { 0 })
        _ = await error(MockTransport(.status(429).repeating()), policy)
        #expect(budget.available == 490)
    }

    @Test func `a response at the first attempt adds one to the budget, up to the capacity`() async throws {
        let budget = RetryBudget(capacity: 500)
        let mock = MockTransport(.status(503), .status(503), .status(200).repeating())
        let provider = NetworkProvider<API>(mock, [policy(budget: budget)])
        for _ in 0..<4 { _ = try await provider.send(.plain) }
        #expect(budget.available == 489)
        for _ in 0..<20 { _ = try await provider.send(.plain) }
        #expect(budget.available == 500)
    }

    @Test func `an exhausted budget ends the call at once with the original error`() async {
        let budget = RetryBudget(capacity: 20)
        let mock = MockTransport(Self.down)
        let error = await error(mock, policy(budget: budget))
        #expect(error?.statusCode == 503)
        #expect(mock.requests.count == 2)
        #expect(budget.available == 6)
    }

    @Test func `the budget that successes return can be spent again`() async throws {
        let budget = RetryBudget(capacity: 30)
        let mock = MockTransport(.status(500), .status(502), .status(200), .status(500), .status(200))
        let provider = NetworkProvider<API>(mock, [policy(5, budget: budget)]) { $0.attemptLimit = 5 }
        _ = try await provider.send(.plain)
        #expect(budget.available == 16)
        _ = try await provider.send(.plain)
        #expect(budget.available == 16)
    }

    @Test func `an attempt that the engine refuses costs nothing`() async {
        let budget = RetryBudget(capacity: 500)
        _ = await error(MockTransport(Self.down), policy(budget: budget)) { $0.attemptLimit = 1 }
        #expect(budget.available == 500)
    }

    @Test func `the app's decision overrides the policy`() async {
        var policy = policy()
        policy.mayRetry = { error, _ in error.response?.headers["X-Should-Retry"] != "false" }
        let mock = MockTransport(.status(503), .status(503, headers: ["X-Should-Retry": "false"]))
        _ = await error(mock, policy)
        #expect(mock.requests.count == 2)
    }

    @Test func `a header can carry the number of the attempt`() async {
        let mock = MockTransport(Self.down)
        var policy = policy()
        policy.attemptHeader = "X-Attempt"
        _ = await NetworkProvider<API>(mock, [policy]).failure(.plain)
        let headers = mock.requests.map { $0.headers["X-Attempt"] }
        #expect(headers == ["attempt=1; max=3", "attempt=2; max=3", "attempt=3; max=3"])
    }

    @Test func `an inner policy does not retry inside a retried attempt`() async {
        struct Inner: RequestInterceptor {
            let provider: NetworkProvider<API>
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                try await provider.send(.plain)
            }
        }
        let mock = MockTransport(Self.down)
        let inner = Inner(provider: NetworkProvider(mock, [policy()]))
        let outer = NetworkProvider<API>(MockTransport(), [policy(), inner])
        await #expect(throws: NetworkError.self) { try await outer.send(.plain) }
        #expect(mock.requests.count == 3)
    }

    @Test func `a POST is retried if nothing was sent, and not after a 503`() async throws {
        let mock = MockTransport(.failure(.connect), .status(503))
        _ = await error(mock, policy(), .post)
        #expect(mock.requests.count == 2)
    }

    @Test func `a call that is canceled during a delay ends at once`() async {
        let clock = TestClock()
        let mock = MockTransport(Self.down)
        let policy = RetryPolicy(backoff: .constant(.seconds(5)))
        let provider = NetworkProvider<API>(mock, [policy]) { $0.clock = clock }
        let call = Task { try await provider.send(.plain) }
        await clock.untilSleeping(within: .seconds(5))
        call.cancel()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .cancelled)
        #expect(mock.requests.count == 1)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `a POST that was redirected to a failing page is not sent again`() async {
        let mock = MockTransport()
        mock.on(.post).answers(MockAnswer.status(303, headers: ["Location": "/page"]).repeating())
        mock.on(.get).answers(Self.down)
        _ = await error(mock, policy(), .post)
        #expect(mock.requests.map(\.method) == [.post, .get])
    }
}
