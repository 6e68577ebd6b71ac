import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Each hook alone makes an interceptor.
@Suite(.timeLimit(.minutes(5))) struct RequestInterceptorTests {
    private struct OnlyAdapt: RequestInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["X-Version"] = "2"
            return request
        }
    }

    private struct OnlyRetry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            error.statusCode == 503 ? .retry : .doNotRetry
        }
    }

    private struct OnlyIntercept: RequestInterceptor {
        func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws
            -> HTTPResponse
        {
            var response = try await next(request)
            response.body = .data(response.data + response.data)
            return response
        }
    }

    /// In this module, the spelled-out type of `next` differs from `Next`.
    private struct WrittenOut: RequestInterceptor {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
        ) async throws -> HTTPResponse {
            var request = request
            request.headers["X-Written"] = "out"
            return try await next(request)
        }
    }

    @Test func `a hook that spells out the type of next is called`() async throws {
        let mock = MockTransport(.status(200))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let client = HTTPClient(baseURL: API.base, interceptors: [WrittenOut()], configuration: configuration)
        try await client.send(.get("/"))
        #expect(mock.requests.map { $0.headers["X-Written"] } == ["out"])
    }

    @Test func `an interceptor can implement only adapt`() async throws {
        let mock = MockTransport(.status(200))
        try await NetworkProvider<API>(mock, [OnlyAdapt()]).request(.plain)
        #expect(mock.requests.map { $0.headers["X-Version"] } == ["2"])
    }

    @Test func `an interceptor can implement only retry`() async throws {
        let mock = MockTransport(.status(503), .status(404))
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider<API>(mock, [OnlyRetry()]).request(.plain)
        }
        #expect(error?.statusCode == 404 && mock.requests.count == 2)
    }

    @Test func `an interceptor can implement only intercept`() async throws {
        let mock = MockTransport(.status(200, body: "ab"))
        #expect(try await NetworkProvider<API>(mock, [OnlyIntercept()]).string(.plain) == "abab")
    }

    private struct NamingCalls: RequestInterceptor {
        let names: Locked<[String?]>

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            names.withLock { $0.append(context.template) }
            return request
        }
    }

    @Test func `an interceptor knows the template of the call`() async throws {
        let names = Locked<[String?]>([])
        let client = HTTPClient(MockTransport(.status(200), .status(200)), [NamingCalls(names: names)])
        try await client.send(.get("/users/\(7)"))
        var endpoint = Endpoint.get("/a")
        endpoint.template = "/{letter}"
        try await client.send(endpoint)
        #expect(names.withLock { $0 } == ["/users/{}", "/{letter}"])
    }
}
