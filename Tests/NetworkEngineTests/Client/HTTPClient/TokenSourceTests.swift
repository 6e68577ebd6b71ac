import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct TokenSourceTests {
    private let mock = MockTransport(.status(204).repeating())

    private func sent(_ endpoint: Endpoint, _ source: TokenSource) async throws -> HTTPRequest {
        try await HTTPClient(mock, [source]).send(endpoint)
        return try #require(mock.requests.last)
    }

    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test func `a closure returns the bearer token for each call`() async throws {
        let count = Locked(0)
        let source = TokenSource {
            count.withLock { count in
                count += 1
                return "t\(count)"
            }
        }
        for number in 1...2 {
            #expect(try await sent(.get("/"), source).headers["Authorization"] == "Bearer t\(number)")
        }
    }

    @Test func `an Authorization that is set by hand stays, and the closure is not called`() async throws {
        let source = TokenSource {
            Issue.record("the closure was asked")
            return "t"
        }
        #expect(try await sent(.get("/").bearer("mine"), source).headers["Authorization"] == "Bearer mine")
    }

    @Test(arguments: [
        (Endpoint.get("/a?b=c"), "http://api.test/v1/a?b=c&api_key=t%20%26"),
        (.get("/a"), "http://api.test/v1/a?api_key=t%20%26"),
        (.get("/a?api_key=mine"), "http://api.test/v1/a?api_key=mine"),
    ])
    func `a token can be sent in the query`(endpoint: Endpoint, address: String) async throws {
        #expect(try await sent(endpoint, TokenSource(.query("api_key")) { "t &" }).url.absoluteString == address)
    }

    @Test func `a token can be sent in another header`() async throws {
        let source = TokenSource(.header("X-Api-Key")) { "t" }
        #expect(try await sent(.get("/"), source).headers == ["X-Api-Key": "t"])
        #expect(try await sent(.get("/", headers: ["x-api-key": "mine"]), source).headers == ["x-api-key": "mine"])
    }

    @Test(arguments: [
        (Endpoint.post("/"), #"{"token":"t\""}"#), (.post("/").body(Data("{}".utf8)), #"{"token":"t\""}"#),
        (.post("/").body(Data(#"{"b": 1.50, "a": {}} "#.utf8)), #"{"b": 1.50, "a": {},"token":"t\""}"#),
        (.post("/").body(Data(#"{"token": 1}"#.utf8)), #"{"token": 1}"#),
        (.post("/", headers: Self.form).body(Data("a=b".utf8)), "a=b&token=t%22"),
        (.post("/", headers: Self.form).body(Data("token=mine".utf8)), "token=mine"),
        (.post("/", headers: Self.form).body(Data()), "token=t%22"),
    ])
    func `a token can be sent in the body`(endpoint: Endpoint, body: String) async throws {
        let request = try await sent(endpoint, TokenSource(.bodyField("token")) { #"t""# })
        #expect(request.body.data == Data(body.utf8))
    }

    @Test func `a body that cannot take a token is refused`() async {
        let error = await #expect(throws: NetworkError.self) {
            try await sent(.post("/").body(Data("[1]".utf8)), TokenSource(.bodyField("token")) { "t" })
        }
        #expect(error?.kind == .invalidRequest && mock.requests.isEmpty)
    }

    @Test func `another origin does not get the token unless it is named`() async throws {
        let other = try #require(URL(string: "https://other.test"))
        var source = TokenSource { "t" }
        #expect(try await sent(.get("https://other.test/x"), source).headers.isEmpty)
        source.origins = [other]
        #expect(try await sent(.get("https://other.test/x"), source).headers["Authorization"] == "Bearer t")
        #expect(try await sent(.get("/x"), source).headers.isEmpty)
    }

    @Test func `a missing optional token is left out, and a missing required token fails before I/O`() async throws {
        let source = TokenSource { nil }
        #expect(try await sent(.get("/"), source).headers.isEmpty)
        let provider = NetworkProvider<TestTarget>(mock, [source])
        let error = await #expect(throws: NetworkError.self) { try await provider.send(TestTarget()) }
        #expect(error?.kind == .authentication && mock.requests.count == 1)
    }

    @Test func `a target without credentials gets no token`() async throws {
        _ = try await NetworkProvider<TestTarget>(mock, [TokenSource { "t" }]).send(
            TestTarget(authorization: .anonymous))
        #expect(mock.requests.map(\.headers) == [[:]])
    }

    @Test func `without a token a prepared request fails at a provider, and is sent by a client`() async throws {
        let (source, prepared) = (TokenSource(origins: [API.base]) { nil }, URLRequest(url: API.base))
        let provider = NetworkProvider<API>(mock, [source])
        let error = await #expect(throws: NetworkError.self) { try await provider.send(prepared) }
        #expect(error?.kind == .authentication && mock.requests.isEmpty)
        try await HTTPClient(mock, [source]).send(prepared)
        #expect(mock.requests.map(\.headers) == [[:]])
    }
}
