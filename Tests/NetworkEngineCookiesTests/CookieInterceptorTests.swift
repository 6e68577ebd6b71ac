import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CookieInterceptorTests {
    private let jar = CookieJar.fixed()

    private func client(
        _ transport: any Transport,
        _ base: String = "https://a.test",
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) throws -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.cookies = jar
        change(&configuration)
        return HTTPClient(baseURL: try base.url, interceptors: interceptors, configuration: configuration)
    }

    /// The `Cookie` header of each request that a mock has received.
    private func cookies(_ mock: MockTransport) -> [String?] { mock.requests.map { $0.headers["Cookie"] } }

    @Test func `a cookie of a response is sent with the next request`() async throws {
        let mock = MockTransport(.status(200, headers: ["Set-Cookie": "a=1"]), .status(200))
        let client = try client(mock)
        _ = try await client.send(.get("/"))
        _ = try await client.send(.get("/"))
        #expect(cookies(mock) == [nil, "a=1"])
    }

    @Test func `without a jar no cookie is kept`() async throws {
        let mock = MockTransport(.status(200, headers: ["Set-Cookie": "a=1"]), .status(200))
        let client = try client(mock) { $0.cookies = nil }
        _ = try await client.send(.get("/"))
        _ = try await client.send(.get("/"))
        #expect(cookies(mock) == [nil, nil])
    }

    @Test func `clients share the cookies of one jar`() async throws {
        let mock = MockTransport(.status(200, headers: ["Set-Cookie": "a=1"]), .status(200))
        _ = try await client(mock).send(.get("/"))
        _ = try await client(mock).send(.get("/"))
        #expect(cookies(mock) == [nil, "a=1"])
    }

    @Test func `a redirect sets cookies for its next hop`() async throws {
        var headers: HTTPHeaders = ["Location": "/home", "Set-Cookie": "session=new; Path=/"]
        headers.add("old=; Path=/; Max-Age=0", for: "Set-Cookie")
        let mock = MockTransport(.status(302, headers: headers), .status(200))
        try jar.receive("session=old; Path=/", "old=1; Path=/", "login=1; Path=/login", from: "https://a.test/login")
        _ = try await client(mock).send(.post("/login").body(Data("x".utf8)))
        #expect(cookies(mock) == ["login=1; session=old; old=1", "session=new"])
    }

    @Test func `each host of a redirect gets its own cookies`() async throws {
        let mock = MockTransport(
            .status(302, headers: ["Location": "https://b.test/", "Set-Cookie": "a=2"]),
            .status(302, headers: ["Location": "https://a.test/", "Set-Cookie": "b=2"]), .status(200))
        try jar.receive("a=1", from: "https://a.test/")
        try jar.receive("b=1", from: "https://b.test/")
        _ = try await client(mock).send(.get("/"))
        #expect(cookies(mock) == ["a=1", "b=1", "a=2"])
        #expect(try jar.sent(to: "https://b.test/") == "b=2")
    }

    @Test func `a cookie set by hand wins over one of the jar`() async throws {
        let mock = MockTransport(.status(200).repeating())
        try jar.receive("a=1", "b=2", "nameless", from: "https://a.test/")
        let client = try client(mock)
        _ = try await client.send(.get("/", headers: ["Cookie": "c=3; b = mine"]))
        _ = try await client.send(.get("/", headers: ["cookie": "mine; B=3"]))
        _ = try await client.send(.get("/", headers: ["Cookie": "a=x;b=y;z"]))
        _ = try await client.send(.get("/", headers: ["Cookie": " "]))
        #expect(
            cookies(mock) == [
                "c=3; b = mine; a=1; nameless", "mine; B=3; a=1; b=2", "a=x;b=y;z", "a=1; b=2; nameless",
            ])
        #expect(mock.requests.allSatisfy { $0.headers.values(for: "Cookie").count == 1 })
    }

    @Test func `a cookie set by hand stays at its origin`() async throws {
        let mock = MockTransport(.status(302, headers: ["Location": "https://b.test/"]), .status(200))
        try jar.receive("mine=2", from: "https://b.test/")
        _ = try await client(mock).send(.get("/", headers: ["Cookie": "mine=1"]))
        #expect(cookies(mock) == ["mine=1", "mine=2"])
    }

    /// Sets a cookie in each exchange.
    private struct Stamp: ExchangeInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            request.headers["Cookie"] = "a=stamp"
            return request
        }
    }

    @Test func `a cookie that an interceptor sets wins, too`() async throws {
        let mock = MockTransport(.status(200))
        try jar.receive("a=1", "b=2", from: "https://a.test/")
        _ = try await client(mock, "https://a.test", [Stamp()]).send(.get("/"))
        #expect(cookies(mock) == ["a=stamp; b=2"])
    }

    @Test func `each attempt sends the current cookies`() async throws {
        let mock = MockTransport(.status(503, headers: ["Set-Cookie": "route=2"]), .status(200))
        try jar.receive("route=1", from: "https://a.test/")
        let retry = RetryPolicy(attemptLimit: 2, backoff: .constant(.zero))
        _ = try await client(mock, "https://a.test", [retry]).send(.get("/"))
        #expect(cookies(mock) == ["route=1", "route=2"])
    }

    @Test func `calls with other cookies do not share an exchange`() async throws {
        let mock = MockTransport(.status(200).repeating())
        try jar.receive("a=1", from: "https://a.test/")
        let client = try client(mock, "https://a.test", [Deduplication()])
        _ = try await client.send(.get("/"))
        try jar.receive("a=2", from: "https://a.test/")
        _ = try await client.send(.get("/"))
        #expect(cookies(mock) == ["a=1", "a=2"])
    }

    struct Chain: Sendable {
        var method = HTTPMethod.get
        var locations: [String]
        var sent: String
    }

    @Test(arguments: [
        Chain(locations: [], sent: "none=1; lax=2; strict=3; plain=4"),
        Chain(locations: ["https://www.a.test/", "https://a.test/"], sent: "none=1; lax=2; strict=3; plain=4"),
        Chain(locations: ["https://b.test/", "https://a.test/"], sent: "none=1; lax=2; plain=4"),
        Chain(
            locations: ["https://b.test/", "https://a.test/x", "https://a.test/"], sent: "none=1; lax=2; plain=4"),
        Chain(method: .post, locations: ["https://b.test/", "https://a.test/"], sent: "none=1"),
        Chain(
            method: .post, locations: ["https://www.a.test/", "https://a.test/"],
            sent: "none=1; lax=2; strict=3; plain=4"),
    ])
    func `a redirect from another site withholds cookies with rules`(chain: Chain) async throws {
        try jar.receive(
            "none=1; SameSite=None; Secure", "lax=2; SameSite=Lax", "strict=3; SameSite=Strict", "plain=4",
            from: "https://a.test/")
        let mock = MockTransport()
        let rule = mock.on()
        rule.answers(chain.locations.map { .status(307, headers: ["Location": $0]) } + [.status(200)])
        _ = try await client(mock).send(Endpoint(path: "/", method: chain.method))
        #expect(cookies(mock).last == chain.sent)
    }

    @Test func `a POST that a redirect to another site turns into a GET sends Lax cookies`() async throws {
        try jar.receive("lax=1; SameSite=Lax", "strict=2; SameSite=Strict", from: "https://b.test/")
        let mock = MockTransport(.status(303, headers: ["Location": "https://b.test/"]), .status(200))
        _ = try await client(mock).send(.post("/").body(Data("x".utf8)))
        #expect(mock.requests.map(\.method) == [.post, .get])
        #expect(cookies(mock) == [nil, "lax=1"])
    }

    @Test func `each call begins at its own site`() async throws {
        try jar.receive("strict=1; SameSite=Strict", from: "https://a.test/")
        let mock = MockTransport(
            .status(302, headers: ["Location": "https://b.test/"]),
            .status(302, headers: ["Location": "https://a.test/"]), .status(503), .status(200))
        let client = try client(mock, "https://a.test", [RetryPolicy(attemptLimit: 2, backoff: .constant(.zero))])
        _ = try await client.send(.get("/"))
        #expect(cookies(mock) == ["strict=1", nil, nil, "strict=1"])
    }

    @Test func `a redirect from http to https is one from another site`() async throws {
        try jar.receive("lax=2; SameSite=Lax", "strict=3; SameSite=Strict", from: "https://a.test/")
        let mock = MockTransport(.status(302, headers: ["Location": "https://a.test/"]), .status(200))
        _ = try await client(mock, "http://a.test").send(.get("/"))
        #expect(cookies(mock) == ["lax=2; strict=3", "lax=2"])
    }

    @Test func `the cookies of an error response are kept`() async throws {
        let mock = MockTransport(.status(401, headers: ["Set-Cookie": "a=1"]))
        let error = await #expect(throws: NetworkError.self) { try await client(mock).request(.get("/")) as Data }
        #expect(error?.statusCode == 401)
        #expect(try jar.sent(to: "https://a.test/") == "a=1")
    }

    @Test(arguments: [200, 401])
    func `a response to a request from before a removal sets no cookie, and a later one does`(
        status: Int
    ) async throws {
        let mock = MockTransport(
            .handler { [jar] _ in
                jar.removeAll()
                return .status(status, headers: ["Set-Cookie": "sid=a; Path=/"])
            },
            .status(200, headers: ["Set-Cookie": "sid=b; Path=/"]))
        let client = try client(mock)
        _ = try? await client.send(.get("/"))
        #expect(try jar.sent(to: "https://a.test/") == "")
        _ = try await client.send(.get("/"))
        #expect(try jar.sent(to: "https://a.test/") == "sid=b")
    }

    @Test func `the hop of a redirect that is sent after a removal sets cookies, and the hop before does not`()
        async throws
    {
        let mock = MockTransport(
            .handler { [jar] _ in
                jar.removeAll()
                return .status(302, headers: ["Location": "/home", "Set-Cookie": "sid=a; Path=/"])
            },
            .status(200, headers: ["Set-Cookie": "home=1; Path=/"]))
        _ = try await client(mock).send(.get("/"))
        #expect(cookies(mock) == [nil, nil])
        #expect(try jar.sent(to: "https://a.test/") == "home=1")
    }

    /// Empties a jar while a request waits to be sent.
    private struct Emptying: RequestInterceptor {
        let jar: CookieJar

        var stage: InterceptorStage { .sending }

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: @escaping Next
        ) async throws -> HTTPResponse {
            jar.removeAll()
            return try await next(request)
        }
    }

    @Test func `a request that waited with cookies from before a removal sets none`() async throws {
        try jar.receive("sid=a; Path=/", from: "https://a.test/")
        let mock = MockTransport(.status(200, headers: ["Set-Cookie": "sid=a2; Path=/"]))
        _ = try await client(mock, "https://a.test", [Emptying(jar: jar)]).send(.get("/"))
        #expect(cookies(mock) == ["sid=a"])
        #expect(try jar.sent(to: "https://a.test/") == "")
    }

    @Test func `errors and requests do not show the values of cookies`() async throws {
        try jar.receive("session=s3cret-value", from: "https://a.test/")
        let mock = MockTransport(
            .handler { _ in
                .status(500, headers: ["Set-Cookie": "session=n3w-s3cret", "X-Echo": "got s3cret-value"])
            })
        let error = await #expect(throws: NetworkError.self) { try await client(mock).request(.get("/")) as Data }
        var text = "\(String(describing: error)) \(error?.request as Any) \(error?.response as Any)"
        text += "\(error?.request?.headers as Any) \(error?.response?.headers as Any)"
        if let request = mock.requests.first { dump(request, to: &text) }
        if let error { dump(error, to: &text) }
        #expect(mock.requests.first?.headers["Cookie"] == "session=s3cret-value")
        #expect(!text.contains("s3cret"))
    }

    @Test func `the samples of the documentation compile`() async throws {
        let url = try "https://a.test/".url
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = NetworkConfiguration()
        configuration.cookies = CookieJar()
        configuration.cookies = try CookieJar(file: folder.appendingPathComponent("cookies.json"))
        configuration.cookies?.set(Cookie(name: "consent", value: "yes", path: "/", isSecure: true), for: url)
        #expect(configuration.cookies?.cookies(for: url).count == 1)
    }
}
