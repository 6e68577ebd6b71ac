import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct PreparedRequestTests {
    private struct User: Decodable, Equatable, Sendable { var id: Int }
    private struct Retry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    @Test func `promise 25: a prepared request takes the way of all others`() async throws {
        let mock = MockTransport(.status(503), .json(#"{"id": 7}"#).repeating())
        let client = HTTPClient(mock, [Retry()])
        var request = URLRequest(url: try #require(URL(string: "https://other.test/a?b=c")))
        request.httpMethod = "PUT"
        request.httpBody = Data("x".utf8)
        #expect(try await client.request(request) == User(id: 7))
        let bytes: Data = try await client.request(request)
        #expect(bytes == Data(#"{"id": 7}"#.utf8))
        #expect(try await client.send(request).statusCode == 200 && mock.requests.count == 4)
        #expect(
            mock.requests.allSatisfy { $0.method == .put && $0.url == request.url && $0.body.data == request.httpBody })
    }

    @Test func `promise 25: an endpoint's request can be had without sending it`() throws {
        let mock = MockTransport()
        let endpoint = Endpoint.post("/a", headers: ["X-One": "1"], body: Data("x".utf8)).bearer("t")
        let request = try HTTPClient(mock).urlRequest(for: endpoint)
        #expect(request.url?.absoluteString == "http://api.test/v1/a" && request.httpMethod == "POST")
        #expect(request.allHTTPHeaderFields == ["X-One": "1", "Authorization": "Bearer t"])
        #expect(request.httpBody == Data("x".utf8) && mock.requests.isEmpty)
    }

    @Test func `a prepared request that may not be sent is refused`() async throws {
        let mock = MockTransport(.status(200))
        let request = URLRequest(url: try #require(URL(string: "file:///etc/passwd")))
        let error = await #expect(throws: NetworkError.self) { try await HTTPClient(mock).send(request) }
        #expect(error?.kind == .invalidRequest && mock.requests.isEmpty)
    }
}
