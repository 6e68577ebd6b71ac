import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Timeouts and deadlines, with a test clock.
@Suite(.timeLimit(.minutes(5))) struct TimeTests {
    private let clock = TestClock()

    private func provider(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        timeout: Duration = .seconds(60),
        deadline: Duration? = nil
    ) -> NetworkProvider<API> {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.clock = clock
        configuration.timeout = timeout
        configuration.deadline = deadline
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    private func failure(_ call: Task<HTTPResponse, any Error>) async -> NetworkError? {
        guard case .failure(let error) = await call.result else { return nil }
        return error as? NetworkError
    }

    @Test(arguments: [Duration.milliseconds(250), .milliseconds(1900), .seconds(60)])
    func `an attempt ends at its timeout, to the millisecond`(timeout: Duration) async {
        let provider = provider(MockTransport(.hang), timeout: timeout)
        let call = Task { try await provider.send(.plain) }
        await clock.untilSleeping()
        clock.advance(by: timeout - .milliseconds(1))
        #expect(clock.pendingSleepers.count == 1)
        clock.advance(by: .milliseconds(1))
        let error = await failure(call)
        #expect(error?.kind == .timeout)
        #expect(error?.transportFailure == .timeout(.attempt))
        #expect(error?.request?.url == API.base.appendingPathComponent("things"))
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `a timed-out attempt can be retried, and each has its own timeout`() async throws {
        struct Again: RequestInterceptor {
            func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
        }
        let provider = provider(MockTransport(.hang, .hang, .status(200)), [Again()], timeout: .seconds(5))
        let call = Task { try await provider.send(.plain) }
        for _ in 0..<2 {
            await clock.untilSleeping()
            clock.advance(by: .seconds(5))
        }
        #expect(try await call.value.statusCode == 200)
    }

    @Test func `an interceptor gets a timeout as the error of next and can continue`() async throws {
        struct Fallback: RequestInterceptor {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                do {
                    return try await next(request)
                } catch let error as NetworkError where error.kind == .timeout {
                    try Task.checkCancellation()
                    return HTTPResponse(statusCode: 203, request: request)
                }
            }
        }
        let provider = provider(MockTransport(.hang), [Fallback()], timeout: .seconds(5))
        let call = Task { try await provider.send(.plain) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        #expect(try await call.value.statusCode == 203)
    }

    @Test func `the deadline ends a call in its transport`() async {
        let provider = provider(MockTransport(.hang), deadline: .seconds(3))
        let call = Task { try await provider.send(.plain) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(3))
        let error = await failure(call)
        #expect(error?.transportFailure == .timeout(.deadline))
    }

    @Test func `the deadline covers attempts and delays`() async {
        struct Later: RequestInterceptor {
            func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
                .retryAfter(.seconds(2))
            }
        }
        let mock = MockTransport(.status(503), .hang)
        let provider = provider(mock, [Later()], deadline: .seconds(3))
        let call = Task { try await provider.send(.plain) }
        await clock.untilSleeping(atLeast: 2, within: .seconds(3))  // the deadline's timer, and the pause
        clock.advance(by: .seconds(2))
        clock.advance(by: .seconds(1))
        let error = await failure(call)
        #expect(error?.transportFailure == .timeout(.deadline))
        #expect(error?.attempts.map(\.statusCode) == [503])
        #expect(error?.request != nil)
    }

    enum Hook: CaseIterable { case adapt, intercept, retry }

    /// Waits practically forever in one of its hooks, responding to cancellation or not.
    struct Sleeper: RequestInterceptor {
        let hook: Hook
        let clock: TestClock
        let isDeaf: Bool
        let entered = OneShot<Void>()

        func sleep() async throws {
            entered.settle(())
            guard isDeaf else { return try await clock.sleep(for: .seconds(1_000_000)) }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            if hook == .adapt { try await sleep() }
            return request
        }
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            if hook == .intercept { try await sleep() }
            return try await next(request)
        }
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            if hook == .retry { try? await sleep() }
            return .doNotRetry
        }
    }

    @Test(arguments: Hook.allCases, [false, true])
    func `the deadline ends a call in any hook, also in one that ignores cancellation`(
        hook: Hook,
        isDeaf: Bool
    ) async throws {
        let sleeper = Sleeper(hook: hook, clock: clock, isDeaf: isDeaf)
        let provider = provider(MockTransport(.status(503)), [sleeper], deadline: .seconds(3))
        let call = Task { try await provider.send(.plain) }
        try await sleeper.entered.wait()
        await clock.untilSleeping(atLeast: isDeaf ? 1 : 2)
        clock.advance(by: .seconds(3))
        #expect(await failure(call)?.transportFailure == .timeout(.deadline))
    }

    @Test func `a request's timeout replaces the configuration's`() async {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.hang)
        configuration.clock = clock
        let engine = RequestEngine(interceptors: [], configuration: configuration)
        let request = HTTPRequest(url: API.base, timeout: .seconds(1))
        let call = Task {
            try await engine.value(of: request, engine.options(), decoding: .response)
        }
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(await failure(call)?.kind == .timeout)
    }
}
