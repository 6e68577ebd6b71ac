import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct EndpointTests {
    private let mock = MockTransport(.status(204).repeating())

    private func sent(_ endpoint: Endpoint, base: String = "https://example.com") async throws -> HTTPRequest {
        try await HTTPClient(mock, base: try #require(URL(string: base))).send(endpoint)
        return try #require(mock.requests.last)
    }

    @Test(arguments: [
        (Endpoint.get("/a"), "GET"), (.head("/a"), "HEAD"), (.options("/a"), "OPTIONS"), (.post("/a"), "POST"),
        (.put("/a"), "PUT"), (.patch("/a"), "PATCH"), (.delete("/a"), "DELETE"),
        (Endpoint(path: "/a", method: "PURGE"), "PURGE"),
    ])
    func `every method is sent with headers, a bearer token and a body`(plain: Endpoint, name: String)
        async throws
    {
        var endpoint = plain.bearer("secret")
        endpoint.headers["X-One"] = "1"
        endpoint.body = Data("body".utf8)
        let request = try await sent(endpoint)
        #expect(request.method.rawValue == name && request.url.absoluteString == "https://example.com/a")
        #expect(request.headers == ["Authorization": "Bearer secret", "X-One": "1"])
        #expect(request.body.data == Data("body".utf8))
    }

    @Test func `a body can be a value that is encoded as JSON`() async throws {
        let request = try await sent(.patch("/a").json(["name": "Ada"]))
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.body.data == Data(#"{"name":"Ada"}"#.utf8))
        let named = Endpoint.put("/a", headers: ["content-type": "application/vnd.x+json"]).json([1])
        #expect(try await sent(named).headers == ["Content-Type": "application/vnd.x+json"])
    }

    @Test(arguments: [
        (
            "https://example.com", "/path", [URLQueryItem(name: "key", value: "value")],
            "https://example.com/path?key=value"
        ),
        ("https://a.test", "/users", [], "https://a.test/users"),
        ("https://a.test/", "/users", [], "https://a.test/users"),
        ("https://a.test/v1/", "users", [], "https://a.test/v1/users"),
        ("https://a.test/v1", "", [], "https://a.test/v1"),
        (
            "https://a.test", "/s?x=1",
            [
                URLQueryItem(name: "b", value: "+&= #é"), URLQueryItem(name: "a", value: nil),
                URLQueryItem(name: "b", value: ""),
            ],
            "https://a.test/s?x=1&b=%2B%26%3D%20%23%C3%A9&a&b="
        ),
        (
            "https://a.test/v1", "https://b.test/x?y=z", [URLQueryItem(name: "k", value: "v")],
            "https://b.test/x?y=z&k=v"
        ),
    ])
    func `base, path and items are joined exactly`(
        base: String, path: String, items: [URLQueryItem], address: String
    ) async throws {
        #expect(try await sent(Endpoint(path: path, queryItems: items), base: base).url.absoluteString == address)
    }

    @Test func `an endpoint is a GET of its path by default`() {
        let endpoint = Endpoint(path: "/users")
        #expect(endpoint == Endpoint(path: "/users", method: .get, headers: [:], queryItems: nil, body: nil))
        #expect(endpoint == .get("/users") && Set([endpoint, .get("/users"), .post("/users")]).count == 2)
    }

    @Test func `the description of an endpoint hides secrets`() {
        let endpoint = Endpoint.post("/login?token=hush").body(Data("hush".utf8)).bearer("hush")
        #expect("\(endpoint)" == "POST /login?token=<redacted>")
        var dumped = ""
        dump(endpoint, to: &dumped)
        #expect(!dumped.contains("hush"))
    }
}
