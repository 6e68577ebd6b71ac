import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineCookies
@testable import NetworkEngineTesting

/// Which senders get a stored response, and what it contains for them.
@Suite(.timeLimit(.minutes(5))) struct CacheIdentityTests {
    private static let forAll: HTTPHeaders = ["Cache-Control": "public, max-age=600"]

    private func client(_ mock: MockTransport, _ jar: CookieJar? = nil) throws -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cache, configuration.cookies) = (mock, ResponseCache(), jar)
        return HTTPClient(baseURL: try "https://a.test".url, configuration: configuration)
    }

    /// A user's request; `nil` for a request without cookies.
    private func get(_ user: String?, _ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:]) -> Endpoint {
        var headers = headers
        headers["Cookie"] = user.map { "user=\($0)" }
        return Endpoint(path: "/a", method: method, headers: headers)
    }

    @Test func `a public response answers requests with other cookies`() async throws {
        let mock = MockTransport(.status(200, headers: Self.forAll))
        let client = try client(mock)
        for user in ["ada", "bob", nil] { _ = try await client.send(get(user)) }
        #expect(mock.requests.count == 1)
    }

    @Test(
        arguments: [
            ["Cache-Control": "max-age=600"], ["Cache-Control": "public, private, max-age=600"],
            ["Cache-Control": "public, max-age=600", "Vary": "Accept, cookie"],
        ] as [HTTPHeaders])
    func `any other response answers only requests with the same cookies`(headers: HTTPHeaders) async throws {
        let mock = MockTransport(.status(200, headers: headers).repeating())
        let client = try client(mock)
        for user in ["ada", "bob", nil, "ada", "bob"] { _ = try await client.send(get(user)) }
        #expect(mock.requests.count == 3)
    }

    @Test func `a response for one host does not answer a request for another one at the same address`() async throws {
        let mock = MockTransport(.status(200, headers: Self.forAll).repeating())
        let client = try client(mock)
        for host in ["one.test", "two.test", nil, "ONE.test", "two.test", "a.test"] {
            var headers = HTTPHeaders()
            headers["Host"] = host
            _ = try await client.send(.get("/a", headers: headers))
        }
        #expect(mock.requests.map { $0.headers["Host"] } == ["one.test", "two.test", nil])
    }

    @Test func `an unsafe request removes the response of its host`() async throws {
        let mock = MockTransport(.status(200, headers: Self.forAll).repeating())
        let client = try client(mock)
        let host: HTTPHeaders = ["Host": "one.test"]
        _ = try await client.send(.get("/a", headers: host))
        _ = try await client.send(Endpoint(path: "/a", method: .delete, headers: host))
        #expect(try await client.send(.get("/a", headers: host)).source == .network)
    }

    @Test func `a public response keeps to its credentials`() async throws {
        let mock = MockTransport(.status(200, headers: Self.forAll).repeating())
        let client = try client(mock)
        for token in ["x", "y"] {
            for user in ["ada", "bob"] { _ = try await client.send(get(user, .get, ["Authorization": token])) }
        }
        _ = try await client.send(get("ada"))
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["x", "y", nil])
    }

    @Test func `a server that sets a cookie with each response has hits if they are public`() async throws {
        let count = Locked(0)
        let mock = MockTransport()
        mock.on().answers(
            .handler { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return .status(200, headers: Self.forAll.merging(["Set-Cookie": "visit=\(number); Path=/"]))
            }.repeating())
        let jar = CookieJar()
        let site = try "https://a.test/".url
        jar.set(fromHeader: "visit=0", for: site)
        let client = try client(mock, jar)
        for path in ["/a", "/b", "/a", "/c", "/a", "/b"] { _ = try await client.send(.get(path)) }
        #expect(mock.requests.map(\.url.path) == ["/a", "/b", "/c"])
        #expect(jar.cookies(for: site).map(\.value) == ["3"])
    }

    @Test(arguments: ["ada", nil] as [String?])
    func `a sender with other cookies does not see those of the first one`(first: String?) async throws {
        let headers = Self.forAll.merging(["Set-Cookie": "user=ada", "X-Other": "1"])
        let client = try client(MockTransport(.status(200, headers: headers)))
        #expect(try await client.send(get(first)).headers["Set-Cookie"] == "user=ada")
        for user in first == nil ? ["bob"] : ["bob", nil] {
            let response = try await client.send(get(user))
            #expect(response.source == .cache && response.headers["X-Other"] == "1")
            #expect(!response.headers.contains("Set-Cookie"))
        }
    }

    @Test(arguments: ["public, max-age=0", "max-age=0"], [HTTPMethod.get, .head])
    func `what a validation says about its sender is shown to no other`(control: String, method: HTTPMethod)
        async throws
    {
        let mock = MockTransport()
        let confirmation = control.replacingOccurrences(of: "=0", with: "=600")
        mock.on().answers(
            .status(200, headers: ["Cache-Control": control, "ETag": "\"1\"", "X-User": "nobody"]),
            .status(
                method == .get ? 304 : 200,
                headers: [
                    "Cache-Control": confirmation, "ETag": "\"1\"", "X-User": "bob", "Set-Cookie": "user=bob",
                ]))
        let client = try client(mock)
        _ = try await client.send(get(nil))
        let own = try await client.send(get("bob", method))
        #expect(own.headers["X-User"] == "bob" && own.headers["Set-Cookie"] == "user=bob")
        for user in ["ada", nil] {
            let response = try await client.send(get(user))
            #expect(response.source == .cache && response.headers["X-User"] == "nobody")
            #expect(!response.headers.contains("Set-Cookie"))
        }
    }

    @Test func `a public response that becomes private is not used for others`() async throws {
        let mock = MockTransport()
        mock.on().answers(
            .status(200, headers: ["Cache-Control": "public, max-age=0", "ETag": "\"1\""], body: "old"),
            .status(304, headers: ["Cache-Control": "private, max-age=600", "ETag": "\"1\""]),
            .status(200, headers: ["Cache-Control": "private, max-age=600"], body: "bob's"))
        let client = try client(mock)
        #expect(try await client.send(get("ada")).text == "old")
        #expect(try await client.send(get("ada")).text == "old")
        #expect(try await client.send(get("bob")).text == "bob's")
        #expect(mock.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
    }
}
