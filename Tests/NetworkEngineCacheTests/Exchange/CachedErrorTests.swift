import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// Error responses and redirects that a server allows to be stored.
@Suite(.timeLimit(.minutes(5))) struct CachedErrorTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=600"]

    private func client(_ mock: MockTransport, _ interceptors: [any RequestInterceptor] = []) throws -> HTTPClient {
        HTTPClient(mock, interceptors, base: try "https://a.test".url) { $0.cache = ResponseCache() }
    }

    @Test func `a refreshed token is sent although the 401 to the old one may be stored`() async throws {
        let mock = MockTransport(
            MockAnswer.handler { request in
                .status(request.headers["Authorization"] == "Bearer new" ? 200 : 401, headers: Self.fresh)
            }.repeating())
        let token = BearerToken("old", refreshToken: "r")
        let session = TokenRefresher(store: InMemoryCredentialStore(token)) { _, _ in
            BearerToken("new", refreshToken: "r")
        }
        #expect(try await client(mock, [session]).send(.get("/a")).statusCode == 200)
    }

    @Test func `another attempt is not answered by the stored error of the one before`() async throws {
        let mock = MockTransport(.status(503, headers: Self.fresh), .status(200))
        let client = try client(mock, [RetryPolicy(attemptLimit: 2, backoff: .constant(.zero))])
        #expect(try await client.send(.get("/a")).statusCode == 200)
        #expect(mock.requests.count == 2)
    }

    @Test func `a redirect that was stored without its body answers only calls that follow it`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/old").answers(
            MockAnswer(exchange: { request, context in
                let headers = Self.fresh.merging(["Location": "/new"])
                let body = Data((context.followsRedirects ? "" : "moved").utf8)
                return HTTPResponse(statusCode: 301, headers: headers, body: .data(body), request: request)
            }).repeating())
        mock.on(.get, "/new").answers(.status(200).repeating())
        let client = try client(mock)
        for _ in 0..<2 { #expect(try await client.send(.get("/old")).statusCode == 200) }
        var endpoint = Endpoint.get("/old")
        (endpoint.redirects, endpoint.validation) = (.never, .anyResponse)
        for source in [HTTPResponse.Source.network, .cache] {
            let response = try await client.send(endpoint)
            #expect(response.text == "moved" && response.source == source)
        }
        #expect(mock.requests.count { $0.url.path == "/old" } == 2)
    }
}
