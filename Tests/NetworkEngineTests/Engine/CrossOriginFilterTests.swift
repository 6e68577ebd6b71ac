import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// What a redirect to another origin sends there, in the entire engine.
@Suite(.timeLimit(.minutes(5))) struct CrossOriginFilterTests {
    /// Redirects from the base to another origin, and answers there.
    private static func mock(
        _ status: Int = 302,
        location: String = "https://other.test/next"
    ) -> MockTransport {
        MockTransport(
            .handler { request in
                request.url.host == "other.test" ? .status(204) : .status(status, headers: ["Location": location])
            }.repeating()
        )
    }

    /// The request that another origin receives.
    private func foreign(
        _ endpoint: Endpoint,
        _ mock: MockTransport = mock(),
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) async throws -> HTTPRequest {
        try await HTTPClient(mock, interceptors, change).send(endpoint)
        return try #require(mock.requests.last { $0.url.host == "other.test" })
    }

    private func refusal(
        _ endpoint: Endpoint,
        _ mock: MockTransport = mock(),
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) async throws -> NetworkError {
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock, interceptors, change).send(endpoint)
        }
        #expect(mock.requests.allSatisfy { $0.url.host == "api.test" })
        return try #require(error)
    }

    @Test(arguments: [
        "Ocp-Apim-Subscription-Key", "X-Functions-Key", "aeg-sas-key", "X-Parse-Master-Key", "X-Hmac", "X-Anything",
        "Authorization", "Cookie", "Host", "Origin", "Referer", "Idempotency-Key", "Accept-Token", "Content-Secret",
    ])
    func `a header that is not known to be harmless stays at its origin`(name: String) async throws {
        let request = try await foreign(.get("/", headers: [name: "hush", "Accept": "*/*"]))
        #expect(request.headers == ["Accept": "*/*"])
    }

    private static let harmless: HTTPHeaders = [
        "Accept": "a", "Accept-Language": "en", "User-Agent": "me", "Range": "bytes=1-", "If-Range": "\"e\"",
        "If-None-Match": "\"e\"", "Cache-Control": "no-cache", "Pragma": "no-cache", "traceparent": "00-1-2-01",
        "tracestate": "a=b",
    ]

    @Test func `a harmless header is sent to another origin`() async throws {
        #expect(try await foreign(.get("/", headers: Self.harmless)).headers == Self.harmless)
    }

    @Test func `headers of a body are sent with a body and removed without one`() async throws {
        let headers: HTTPHeaders = ["Content-Type": "text/plain", "Content-Language": "en"]
        #expect(try await foreign(.get("/", headers: headers)).headers.isEmpty)
        let endpoint = Endpoint.put("/", headers: headers).body(Data("b".utf8))
        let request = try await foreign(endpoint, Self.mock(307)) { $0.redirects.allowsBodyToOtherOrigins = true }
        #expect(request.headers == headers && request.body.data == Data("b".utf8))
    }

    @Test func `an option allows more headers, but no registered secret`() async throws {
        let headers: HTTPHeaders = ["X-A": "1", "X-B": "2", "User-Agent": "me"]
        let request = try await foreign(.get("/", headers: headers)) {
            $0.redirects.headersToOtherOrigins = ["x-a", "X-B"]
            $0.secretNames = ["x-b", "user-agent"]
        }
        #expect(request.headers == ["X-A": "1"])
    }

    @Test(arguments: [301, 302, 307, 308])
    func `a body is sent to another origin only if allowed`(status: Int) async throws {
        let endpoint = Endpoint.put("/").body(Data("b".utf8))
        let error = try await refusal(endpoint, Self.mock(status))
        #expect(error.kind == .redirect && error.statusCode == status)
        #expect(error.reason.contains("RedirectPolicy.allowsBodyToOtherOrigins"))
        let request = try await foreign(endpoint, Self.mock(status)) { $0.redirects.allowsBodyToOtherOrigins = true }
        #expect(request.body.data == Data("b".utf8))
    }

    @Test func `a trusted origin gets the same headers as the first`() async throws {
        let other = try #require(URL(string: "https://other.test"))
        let endpoint = Endpoint.put("/", headers: ["Authorization": "mine", "X-A": "1"]).body(Data("b".utf8))
        let request = try await foreign(endpoint, Self.mock(308)) { $0.trustedOrigins = [other] }
        #expect(request.headers == endpoint.headers && request.body.data == endpoint.body)
    }

    // MARK: Credentials

    private static let places: [TokenSource.Location] = [
        .bearer, .header("Accept-Language"), .header("X-A"), .query("page"),
    ]

    @Test(arguments: places, ["hush-token-7", "t"])
    func `a token never goes to another origin, with any configuration`(place: TokenSource.Location, token: String)
        async throws
    {
        let location = "https://other.test/next?page=\(token)&x=1"
        let request = try await foreign(.get("/"), Self.mock(location: location), [TokenSource(place) { token }]) {
            $0.redirects.headersToOtherOrigins = ["Authorization", "Accept-Language", "X-A"]
            $0.trustedOrigins = [URL(string: "https://other.test")].compactMap { $0 }
        }
        #expect(request.headers.isEmpty)
        #expect(request.url.absoluteString == "https://other.test/next?x=1")
    }

    @Test func `a body with a token stays at its origin`() async throws {
        for endpoint in [Endpoint.post("/"), .post("/").body(Data(#"{"a": 1}"#.utf8))] {
            let source = TokenSource(.bodyField("token")) { "t" }
            let error = try await refusal(endpoint, Self.mock(307), [source]) {
                $0.redirects.allowsBodyToOtherOrigins = true
            }
            #expect(error.kind == .redirect && error.reason.contains("credential"))
        }
    }

    @Test func `a token in the path of a Location stays with its server`() async throws {
        let mock = Self.mock(location: "https://other.test/hush-token-7/next")
        let error = try await refusal(.get("/"), mock, [TokenSource { "hush-token-7" }])
        #expect(error.kind == .redirect && !"\(error)".contains("hush"))
    }

    @Test func `a credential of any form and position stays at its origin`() async throws {
        struct Session: Credential {
            var expiresAt: Date? { nil }

            func apply(to request: inout HTTPRequest) {
                request.headers["Accept-Session"] = "hush-header-7"
                request.headers["X-A"] = "hush-field-7"
                request.url = request.url.appending(queryItems: [URLQueryItem(name: "page", value: "hush-query-7")])
            }
        }
        let refresher = TokenRefresher(store: InMemoryCredentialStore(Session())) { old, _ in old }
        let mock = Self.mock(location: "https://other.test/next?page=hush-query-7")
        let request = try await foreign(.get("/"), mock, [refresher]) {
            $0.redirects.headersToOtherOrigins = ["X-A", "Accept-Session"]
        }
        #expect(request.headers.isEmpty && request.url.absoluteString == "https://other.test/next")
        #expect(mock.requests.first?.headers["X-A"] == "hush-field-7")
    }

    @Test func `headers of custom interceptors stay at their origin unless allowed`() async throws {
        struct Signer: RequestInterceptor {
            func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
                var request = request
                request.headers["X-Hmac"] = "hush-7"
                return request
            }
        }
        #expect(try await foreign(.get("/"), Self.mock(), [Signer()]).headers.isEmpty)
        let named = try await foreign(.get("/"), Self.mock(), [Signer()]) {
            $0.redirects.headersToOtherOrigins = ["X-Hmac"]
        }
        #expect(named.headers == ["X-Hmac": "hush-7"])
    }

    @Test func `a Referer is sent without user, password and fragment`() async throws {
        let mock = MockTransport(.status(204).repeating())
        let headers: HTTPHeaders = ["Referer": "https://me:hush@api.test/a?b=c#d"]
        try await HTTPClient(mock).send(.get("/", headers: headers))
        #expect(mock.requests.last?.headers == ["Referer": "https://api.test/a?b=c"])
    }
}
