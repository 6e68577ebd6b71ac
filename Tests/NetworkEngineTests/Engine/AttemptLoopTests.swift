import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The engine over a scripted transport: its attempts, the interceptors it calls, and the result.
@Suite(.timeLimit(.minutes(5))) struct AttemptLoopTests {
    /// Stamps the request with its name and the attempt.
    struct Stamp: RequestInterceptor {
        let name: String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["X-Trail"] = (request.headers["X-Trail"] ?? "") + "\(name)\(context.attempt)"
            return request
        }
    }

    /// Gives the same advice every time, and counts its calls.
    struct Advice: RequestInterceptor {
        let decision: RetryDecision
        let asked = Locked(0)

        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            asked.withLock { $0 += 1 }
            return decision
        }
    }

    private func provider(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> NetworkProvider<API> {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        change(&configuration)
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    private func failure(_ provider: NetworkProvider<API>) async -> NetworkError? {
        do throws(NetworkError) {
            _ = try await provider.send(.plain)
            return nil
        } catch {
            return error
        }
    }

    @Test func `every adapter sees every attempt, in order, from the original request`() async throws {
        let mock = MockTransport(.status(503), .status(200))
        _ = try await provider(mock, [Stamp(name: "a"), Advice(decision: .retry), Stamp(name: "b")]).send(.plain)
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["a1b1", "a2b2"])
    }

    @Test func `interception nests in list order`() async throws {
        struct Around: RequestInterceptor {
            let name: String
            let trail: Locked<[String]>
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                trail.withLock { $0.append(name + " out") }
                let response = try await next(request)
                trail.withLock { $0.append(name + " back") }
                return response
            }
        }
        let trail = Locked<[String]>([])
        let chain = [Around(name: "a", trail: trail), Around(name: "b", trail: trail)]
        _ = try await provider(MockTransport(.status(200)), chain).send(.plain)
        #expect(trail.withLock { $0 } == ["a out", "b out", "b back", "a back"])
    }

    @Test func `an interceptor can answer without the network`() async throws {
        struct Canned: RequestInterceptor {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                HTTPResponse(statusCode: 200, body: .data(Data("x".utf8)), request: request)
            }
        }
        let mock = MockTransport()
        #expect(try await provider(mock, [Canned()]).string(.plain) == "x")
        #expect(mock.requests.isEmpty)
    }

    @Test func `an interceptor that calls next twice runs the inner adapters twice`() async throws {
        struct Twice: RequestInterceptor {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> HTTPResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let mock = MockTransport(.status(200), .status(200))
        _ = try await provider(mock, [Twice(), Stamp(name: "s")]).send(.plain)
        #expect(mock.requests.map { $0.headers["X-Trail"] } == ["s1", "s1"])
    }

    @Test func `the first decisive advice wins`() async {
        let first = Advice(decision: .doNotRetry)
        let second = Advice(decision: .fail(NetworkError(kind: .authentication, reason: "signed out")))
        let third = Advice(decision: .retry)
        let error = await failure(provider(MockTransport(.status(401)), [first, second, third]))
        #expect(error?.kind == .authentication)
        #expect([first, second, third].map { $0.asked.withLock { $0 } } == [1, 1, 0])
    }

    @Test(arguments: [1, 2, 3, 5])
    func `the engine alone counts attempts, also if interceptors ask for more`(limit: Int) async {
        let mock = MockTransport(.status(503).repeating())
        let three = Array(repeating: Advice(decision: .retry), count: 3)
        let error = await failure(provider(mock, three) { $0.attemptLimit = limit })
        #expect(mock.requests.count == limit)
        #expect(error?.kind == .status)
        #expect(error?.attempts.map(\.number) == Array(1...limit))
    }

    @Test func `the error has every attempt and its result`() async {
        let mock = MockTransport(.failure(.dns), .status(503))
        let error = await failure(provider(mock, [Advice(decision: .retry)]) { $0.attemptLimit = 2 })
        #expect(error?.attempts.map(\.kind) == [.connection, .status])
        #expect(error?.attempts.map(\.statusCode) == [nil, 503])
        #expect(error?.attempts.map(\.transportFailure) == [.dns, nil])
        #expect(error?.attempts.map(\.delay) == [.zero, nil])
    }

    @Test func `the delay before a retry uses the injected clock`() async throws {
        let clock = TestClock()
        let mock = MockTransport(.status(503), .status(200))
        let provider = provider(mock, [Advice(decision: .retryAfter(.seconds(7)))]) { $0.clock = clock }
        let call = Task { try await provider.send(.plain) }
        await clock.untilSleeping(within: .seconds(7))
        clock.advance(by: .seconds(7))
        #expect(try await call.value.statusCode == 200)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `a delay beyond the deadline is not started`() async {
        let clock = TestClock()
        let advice = Advice(decision: .retryAfter(.seconds(10)))
        let error = await failure(
            provider(MockTransport(.status(503)), [advice]) {
                $0.clock = clock
                $0.deadline = .seconds(10)
            }
        )
        #expect(error?.statusCode == 503)
        #expect(clock.now.offset == .zero)
    }

    @Test func `the error of an interceptor names the interceptor`() async {
        struct Broken: RequestInterceptor {
            struct Oops: Error {}
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { throw Oops() }
        }
        let mock = MockTransport()
        let error = await failure(provider(mock, [Broken()]))
        #expect(error?.kind == .interceptor)
        #expect(error?.reason == "adapt of Broken threw Oops")
        #expect(error?.underlying is Broken.Oops)
        #expect(mock.requests.isEmpty)
    }

    @Test func `a request that an interceptor makes invalid is refused before sending`() async {
        struct Spoiler: RequestInterceptor {
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                var request = request
                request.headers["X-A\r\nX-Evil"] = "1"
                return request
            }
        }
        let mock = MockTransport(.status(200))
        #expect(await failure(provider(mock, [Spoiler()]))?.kind == .invalidRequest)
        #expect(mock.requests.isEmpty)
    }

    @Test func `the error of a transport keeps its kind`() async {
        struct Foreign: Error {}
        #expect(await failure(provider(MockTransport(.failure(.tls))))?.kind == .tls)
        let foreign = await failure(provider(MockTransport(.failure(Foreign()))))
        #expect(foreign?.kind == .transport)
        #expect(foreign?.underlying is Foreign)
        let url = await failure(provider(MockTransport(.failure(URLError(.cannotFindHost)))))
        #expect(url?.transportFailure == .dns)
        #expect((url?.underlying as? URLError)?.code == .cannotFindHost)
    }

    @Test func `the context has call, attempt and target`() async throws {
        struct Spy: RequestInterceptor {
            let seen: Locked<[RequestContext]>
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                seen.withLock { $0.append(context) }
                return request
            }
        }
        let seen = Locked<[RequestContext]>([])
        let mock = MockTransport(.status(503), .status(200), .status(200))
        let provider = provider(mock, [Spy(seen: seen), Advice(decision: .retry)]) {
            $0.clock = TestClock()
            $0.deadline = .seconds(60)
        }
        _ = try await provider.send(.plain)
        _ = try await provider.send(.post)
        let contexts = seen.withLock { $0 }
        #expect(contexts.map(\.attempt) == [1, 2, 1])
        #expect(contexts[0].requestID == contexts[1].requestID)
        #expect(contexts[1].requestID != contexts[2].requestID)
        #expect(contexts.map { $0.target as? API } == [.plain, .plain, .post])
        #expect(contexts.allSatisfy { $0.timeLeft == .seconds(60) })
    }

    @Test func `a one-shot body is never sent a second time`() async {
        let stream = BodyStream(isReplayable: false) { AsyncThrowingStream { $0.finish() } }
        let mock = MockTransport(.status(503).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let engine = RequestEngine(interceptors: [Advice(decision: .retry)], configuration: configuration)
        let request = HTTPRequest(method: .post, url: API.base, body: .stream(stream))
        let error = await #expect(throws: NetworkError.self) {
            try await engine.value(of: request, engine.options(), decoding: .response)
        }
        #expect(error?.statusCode == 503)
        #expect(mock.requests.count == 1)
    }
}
