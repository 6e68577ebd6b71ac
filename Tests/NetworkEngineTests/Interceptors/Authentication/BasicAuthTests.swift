import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct BasicAuthTests {
    private let mock = MockTransport(.status(204).repeating())

    private func sent(_ auth: BasicAuth, _ target: TestTarget = TestTarget()) async throws -> [String?] {
        _ = try await NetworkProvider<TestTarget>(mock, [auth]).send(target)
        return mock.requests.map { $0.headers["Authorization"] }
    }

    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
        ("a", "b:c", "Basic YTpiOmM="), ("", "", "Basic Og=="), ("e\u{301}", "", "Basic w6k6"),
    ])
    func `the name and the password are sent as in RFC 7617`(name: String, password: String, expected: String)
        async throws
    {
        #expect(try await sent(BasicAuth(username: name, password: password)) == [expected])
    }

    @Test(arguments: [("a:b", "p", "colon"), ("a\n", "p", "user name"), ("a", "p\u{7F}", "password")])
    func `a text that cannot be sent fails before I/O`(name: String, password: String, word: String) async {
        let auth = BasicAuth(username: name, password: password)
        let error = await NetworkProvider<TestTarget>(mock, [auth]).failure(TestTarget())
        #expect(error?.kind == .unsupported && error?.reason.contains(word) == true && mock.requests.isEmpty)
        #expect(throws: NetworkError.self) { try ([auth] as [any RequestInterceptor]).validate() }
    }

    @Test func `an Authorization that is set by hand stays, and a target without credentials gets none`() async throws {
        let auth = BasicAuth(username: "ada", password: "p")
        _ = try await sent(auth, TestTarget(headers: ["authorization": "mine"]))
        #expect(try await sent(auth, TestTarget(authorization: .anonymous)) == ["mine", nil])
    }

    @Test func `only the named origins get the password, on every hop`() async throws {
        let api = try #require(URL(string: "http://api.test"))
        let other = try #require(URL(string: "https://other.test:8443/x"))
        let hops = ["/v1/a": "https://other.test:8443/b", "/b": "https://other.test/c", "/c": "http://api.test/d"]
        let mock = MockTransport(
            .handler { hops[$0.url.path].map { .status(302, headers: ["Location": $0]) } ?? .status(204) }.repeating())
        let auth = BasicAuth(username: "a", password: "b", origins: [api, other])
        _ = try await NetworkProvider<TestTarget>(mock, [auth]) { $0.redirects.allowsInsecureDowngrade = true }
            .send(TestTarget(path: "/a"))
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Basic YTpi", "Basic YTpi", nil, "Basic YTpi"])
    }

    @Test func `a 401 is the result at once`() async {
        let mock = MockTransport(.status(401, headers: ["WWW-Authenticate": "Basic realm=x"]).repeating())
        let auth = BasicAuth(username: "a", password: "b")
        #expect(await NetworkProvider<TestTarget>(mock, [auth]).failure(TestTarget())?.statusCode == 401)
        #expect(mock.requests.count == 1)
    }

    @Test func `no printed form shows the password`() {
        let auth = BasicAuth(username: "ada", password: "open sesame")
        var text = "\(auth) \(String(reflecting: auth))"
        dump(auth, to: &text)
        #expect(!text.contains("sesame") && !text.contains("YWRh"))
    }
}

@Suite(.timeLimit(.minutes(5))) struct APIKeyAuthTests {
    private let mock = MockTransport(.status(204).repeating())

    private func sent(_ endpoint: Endpoint, _ auth: APIKeyAuth) async throws -> HTTPRequest {
        try await HTTPClient(mock, [auth]).send(endpoint)
        return try #require(mock.requests.last)
    }

    @Test func `the key is a header, and one that is set by hand stays`() async throws {
        #expect(try await sent(.get("/"), APIKeyAuth(key: "k")).headers == ["X-API-Key": "k"])
        let other = APIKeyAuth(key: "k", in: .header("X-Other"))
        #expect(try await sent(.get("/"), other).headers == ["X-Other": "k"])
        #expect(try await sent(.get("/", headers: ["x-other": "mine"]), other).headers == ["x-other": "mine"])
    }

    @Test(arguments: [
        ("/a?b=c", "http://api.test/v1/a?b=c&key=k%20%26"), ("/a?key=mine", "http://api.test/v1/a?key=mine"),
    ])
    func `the key is a query item, and one that is set by hand stays`(path: String, address: String) async throws {
        let auth = APIKeyAuth(key: "k &", in: .query("key"))
        #expect(try await sent(.get(path), auth).url.absoluteString == address)
    }

    @Test func `a target without credentials gets no key`() async throws {
        let provider = NetworkProvider<TestTarget>(mock, [APIKeyAuth(key: "k")])
        _ = try await provider.send(TestTarget(authorization: .anonymous))
        #expect(mock.requests.map(\.headers) == [[:]])
    }

    @Test func `another origin does not get a key that a redirect repeats`() async throws {
        let mock = MockTransport(
            .handler { request in
                guard request.url.host == "api.test" else { return .status(204) }
                let query = request.url.query(percentEncoded: true) ?? ""
                return .status(302, headers: ["Location": "https://other.test/?\(query)"])
            }.repeating())
        let auth = APIKeyAuth(key: "secret-key", in: .query("key"))
        try await HTTPClient(mock, [auth]).send(.get("/a?page=2"))
        #expect(mock.requests.map { $0.url.absoluteString }.last == "https://other.test/?page=2")
    }

    @Test func `another origin does not get a key that two redirects repeat`() async throws {
        let mock = MockTransport(
            .redirect(to: "/b?key=hush"), .redirect(to: "https://other.test/b?key=hush&x=1"), .text("ok"))
        let client = HTTPClient(mock, [APIKeyAuth(key: "hush", in: .query("key"))])
        try await client.send(.get("/a"))
        #expect(mock.requests.last?.url.absoluteString == "https://other.test/b?x=1")
    }

    @Test func `a redirect within the origin gets the key again`() async throws {
        let mock = MockTransport(.status(302, headers: ["Location": "/b"]), .status(204))
        try await HTTPClient(mock, [APIKeyAuth(key: "k", in: .query("key"))]).send(.get("/a"))
        #expect(mock.requests.map { $0.url.query() } == ["key=k", "key=k"])
    }

    @Test func `no printed form shows the key`() {
        let auth = APIKeyAuth(key: "secret-key")
        var text = "\(auth) \(String(reflecting: auth))"
        dump(auth, to: &text)
        #expect(!text.contains("secret-key"))
    }
}
