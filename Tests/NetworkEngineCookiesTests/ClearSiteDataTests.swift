import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineCookies
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ClearSiteDataTests {
    private let jar = CookieJar.fixed()

    private func client(
        _ transport: any Transport,
        _ base: String = "https://www.example.com",
        cache: ResponseCache? = nil
    ) throws -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cookies, configuration.cache) = (transport, jar, cache)
        return HTTPClient(baseURL: try base.url, configuration: configuration)
    }

    @Test(
        arguments: [
            ("\"cache\"", .cache), ("\"cookies\"", .cookies), ("\"*\"", [.cache, .cookies]),
            (" \"storage\" ,\"cookies\",\"cache\"", [.cache, .cookies]), ("cache, cookies, *", []), ("\"Cookies\"", []),
            ("\"cookies, \"\"cache\"", []), ("", []),
        ] as [(String, ClearSiteData)])
    func `a response over https names quoted kinds of data`(value: String, kinds: ClearSiteData) throws {
        let headers: HTTPHeaders = ["Clear-Site-Data": value]
        #expect(ClearSiteData(headers, from: try "https://a.test/".url) == kinds)
        #expect(ClearSiteData(headers, from: try "http://a.test/".url) == [])
    }

    @Test(arguments: [
        ("\"cookies\"", true), ("\"*\"", true), ("\"cache\", \"cookies\"", true), ("\"cache\"", false),
        ("cookies", false),
    ])
    func `a server removes the cookies of its registered domain`(value: String, removes: Bool) async throws {
        try jar.receive("a=1", "b=2; Domain=example.com", from: "https://www.example.com/")
        try jar.receive("c=3; Max-Age=100; Secure", from: "https://shop.example.com/")
        try jar.receive("d=4", from: "http://example.com/")
        try jar.receive("e=5", from: "https://example.org/")
        _ = try await client(MockTransport(.status(200, headers: ["Clear-Site-Data": value]))).send(.get("/"))
        #expect("\(jar)" == (removes ? "CookieJar(1 cookies)" : "CookieJar(5 cookies)"))
        #expect(try jar.sent(to: "https://example.org/") == "e=5")
    }

    @Test func `an unencrypted response removes no cookies`() async throws {
        try jar.receive("a=1", from: "http://www.example.com/")
        let mock = MockTransport(.status(200, headers: ["Clear-Site-Data": "\"cookies\""]))
        _ = try await client(mock, "http://www.example.com").send(.get("/"))
        #expect(try jar.sent(to: "http://www.example.com/") == "a=1")
    }

    @Test(arguments: [
        ("https://127.0.0.1", "https://127.0.0.2"), ("https://[::1]", "https://[::2]"),
        ("https://localhost", "https://a.localhost"), ("https://github.io", "https://me.github.io"),
        ("https://me.github.io", "https://you.github.io"), ("https://me.github.io", "https://github.io"),
    ])
    func `the cookies of another site stay`(own: String, other: String) async throws {
        try jar.receive("a=1", from: own)
        try jar.receive("b=2", from: other)
        let mock = MockTransport(.status(200, headers: ["Clear-Site-Data": "\"cookies\""]))
        _ = try await client(mock, own).send(.get("/"))
        #expect(try jar.sent(to: own).isEmpty)
        #expect(try jar.sent(to: other) == "b=2")
    }

    @Test func `a response that removes cookies sets none`() async throws {
        let headers: HTTPHeaders = ["Clear-Site-Data": "\"cookies\"", "Set-Cookie": "a=2"]
        try jar.receive("a=1", from: "https://www.example.com/")
        _ = try await client(MockTransport(.status(200, headers: headers))).send(.get("/"))
        #expect("\(jar)" == "CookieJar(0 cookies)")
    }

    @Test func `after a redirect that removes cookies the next hop sends none`() async throws {
        try jar.receive("a=1; Path=/", from: "https://www.example.com/")
        let mock = MockTransport(
            .status(302, headers: ["Location": "/bye", "Clear-Site-Data": "\"cookies\""]), .status(200))
        _ = try await client(mock).send(.get("/logout"))
        #expect(mock.requests.map { $0.headers["Cookie"] } == ["a=1", nil])
    }

    @Test func `a response from the cache removes no cookies`() async throws {
        let headers: HTTPHeaders = ["Clear-Site-Data": "\"cookies\"", "Cache-Control": "max-age=600"]
        let client = try client(MockTransport(.status(200, headers: headers)), cache: ResponseCache())
        _ = try await client.send(.get("/"))
        try jar.receive("a=1", from: "https://www.example.com/")
        #expect(try await client.send(.get("/")).source == .cache)
        #expect(try jar.sent(to: "https://www.example.com/") == "a=1")
    }
}
