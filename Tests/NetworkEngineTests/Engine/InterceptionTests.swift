import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// The rules for interceptor chains (C) beyond the order.
@Suite(.timeLimit(.minutes(5))) struct InterceptionTests {
    private struct Intercept: RequestInterceptor {
        let body: @Sendable (HTTPRequest, RequestContext, @escaping Next) async throws -> HTTPResponse

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            try await body(request, context, next)
        }
    }

    private struct Hop: ExchangeInterceptor {
        let name: String
        let trail: Locked<[String]>

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            trail.withLock { $0.append(name + request.url.path) }
            var request = request
            request.headers["X-Hop"] = name
            return request
        }
    }

    private struct Advice: RequestInterceptor {
        let advise: @Sendable (RequestContext) -> RetryDecision

        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { advise(context) }
    }

    @Test func `exchange interceptors run on every redirect, inside attempt interceptors`() async throws {
        let trail = Locked<[String]>([])
        let mock = MockTransport(.status(302, headers: ["Location": "/end"]), .status(200))
        let outer = Intercept { request, _, next in
            trail.withLock { $0.append("attempt") }
            return try await next(request)
        }
        let chain: [any RequestInterceptor] = [Hop(name: "a", trail: trail), outer, Hop(name: "b", trail: trail)]
        _ = try await NetworkProvider<API>(mock, chain).send(.plain)
        #expect(trail.withLock { $0 } == ["attempt", "a/v1/things", "b/v1/things", "a/end", "b/end"])
        #expect(mock.requests.map { $0.headers["X-Hop"] } == ["b", "b"])
    }

    @Test func `exchange interceptors give retry advice in list order`() async throws {
        struct Retrying: ExchangeInterceptor {
            func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
        }
        let mock = MockTransport(.status(503), .status(200))
        _ = try await NetworkProvider<API>(mock, [Retrying()]).send(.plain)
        #expect(mock.requests.count == 2)
    }

    @Test func `a second call of next drops the first response`() async throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("file")
        let twice = Intercept { request, _, next in
            _ = try await next(request)
            return try await next(request)
        }
        let mock = MockTransport(.status(200, body: "first"), .status(200, body: "second"))
        let target = TestTarget(task: .downloadDestination(.file(at: place)))
        let file = try await NetworkProvider<TestTarget>(mock, [twice]).download(target)
        #expect(try String(contentsOf: file, encoding: .utf8) == "second")
        #expect(mock.requests.count == 2)
    }

    @Test func `the error of an interceptor ends the call once and stops the inner work`() async throws {
        struct Oops: Error {}
        let broken = Intercept { request, _, next in
            async let answer = next(request)
            if request.method == .get { throw Oops() }
            return try await answer
        }
        let mock = MockTransport(.hang)
        let count = Locked(0)
        let provider = NetworkProvider<API>(mock, [broken])
        let outcome = OneShot<NetworkErrorKind?>()
        provider.request(.plain, as: Int.self, queue: .global()) { result in
            count.withLock { $0 += 1 }
            if case .failure(let error) = result { outcome.settle(error.kind) } else { outcome.settle(nil) }
        }
        #expect(try await outcome.wait() == .interceptor)
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `an interceptor can make calls on the same provider`() async throws {
        let holder = OneShot<NetworkProvider<API>>()
        let nested = Intercept { request, _, next in
            guard request.url.lastPathComponent == "things" else { return try await next(request) }
            _ = try await holder.wait().send(.at("inner"))
            return try await next(request)
        }
        let mock = MockTransport(MockAnswer.status(200).repeating())
        let limit = ConcurrencyLimit(total: 1, perHost: 1, queueLength: 0)
        let provider = NetworkProvider<API>(mock, [nested, limit])
        holder.settle(provider)
        _ = try await provider.send(.plain)
        #expect(mock.requests.map(\.url.lastPathComponent) == ["inner", "things"])
    }

    @Test func `retry advice is requested after the last attempt, too, and can replace the error`() async {
        let asked = Locked<[Bool]>([])
        let advice = Advice { context in
            asked.withLock { $0.append(context.isLastAttempt) }
            return context.isLastAttempt ? .fail(NetworkError(kind: .authentication)) : .retry
        }
        let mock = MockTransport(MockAnswer.status(503).repeating())
        let error = await NetworkProvider<API>(mock, [advice]) { $0.attemptLimit = 2 }.failure(.plain)
        #expect(asked.withLock { $0 } == [false, true])
        #expect(error?.kind == .authentication)
        #expect(mock.requests.count == 2)
    }
}
