import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies
@testable import NetworkEngineTesting

/// Requests that are adapted here and sent by other code.
@Suite(.timeLimit(.minutes(5))) struct AdaptingTests {
    private struct Stamp: RequestInterceptor {
        let name: String

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers.add("\(name)\(context.attempt)", for: "X-Trail")
            return request
        }

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: @escaping Next
        ) async throws -> HTTPResponse {
            Issue.record("intercept must not run")
            return try await next(request)
        }
    }

    private struct HopStamp: ExchangeInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            try await Stamp(name: "hop").adapt(request, context: context)
        }
    }

    private struct Refusal: Error {}

    private struct Refusing: RequestInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { throw Refusal() }
    }

    private let url = URL(fileURLWithPath: "/")

    @Test func `the adapt hooks run once, those of exchanges last, and nothing is sent`() async throws {
        let transport = MockTransport()
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let engine = RequestEngine(
            interceptors: [HopStamp(), Stamp(name: "a"), RetryPolicy(), Stamp(name: "b")], configuration: configuration)
        let request = try await engine.adapted(HTTPRequest(url: url), engine.options())
        #expect(request.headers.values(for: "X-Trail") == ["a1", "b1", "hop1"])
        #expect(transport.requests.isEmpty)
    }

    @Test func `the token of a DefaultInterceptor and the cookies of the configuration are added`() async throws {
        let jar = CookieJar()
        let url = API.base
        jar.set(fromHeader: "a=b", for: url)
        var configuration = NetworkConfiguration()
        configuration.cookies = jar
        let interceptor = DefaultInterceptor(refreshToken: { false }, token: { "t" })
        let engine = RequestEngine(interceptors: [interceptor], configuration: configuration)
        let request = try await engine.adapted(HTTPRequest(url: url), engine.options(for: API.plain))
        #expect(request.headers["Authorization"] == "Bearer t" && request.headers["Cookie"] == "a=b")
        let offline = DefaultInterceptor(refreshToken: { false }, isNetworkReachable: { false })
        let error = await #expect(throws: NetworkError.self) {
            try await RequestEngine(interceptors: [offline], configuration: configuration)
                .adapted(HTTPRequest(url: url), engine.options(for: API.plain))
        }
        #expect(error?.kind == .offline)
    }

    @Test func `an error of a hook names the interceptor`() async throws {
        let engine = RequestEngine(interceptors: [Refusing()], configuration: NetworkConfiguration())
        let error = await #expect(throws: NetworkError.self) {
            try await engine.adapted(HTTPRequest(url: url), engine.options())
        }
        #expect(error?.kind == .interceptor)
        #expect(error?.reason.contains("Refusing") == true)
    }

    @Test func `a credential is refreshed by a call of its own`() async throws {
        let transport = MockTransport(.status(200, body: "fresh-token-0123456789"))
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let api = try #require(URL(string: "https://api.example.com"))
        let store = InMemoryCredentialStore(BearerToken("old-token-0123456789", expiresAt: .distantPast))
        let tokens = TokenRefresher(store: store) { _, context in
            let response = try await context.send(HTTPRequest(method: .post, url: api))
            return BearerToken(response.text)
        }
        let engine = RequestEngine(interceptors: [tokens], configuration: configuration)
        let target = AnyTarget(baseURL: api, path: "/video")
        let request = try engine.builder.request(for: target, use: .request)
        let adapted = try await engine.adapted(request, engine.options(for: target))
        #expect(adapted.headers["Authorization"] == "Bearer fresh-token-0123456789")
        #expect(transport.requests.count == 1)
        #expect(!"\(adapted) \(adapted.headers)".contains("fresh-token"))
    }
}
