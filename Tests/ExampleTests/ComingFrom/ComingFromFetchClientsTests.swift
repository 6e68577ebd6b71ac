import Dispatch
import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The right-hand sides of “Coming from a fetch client”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromFetchClientsTests {
    private nonisolated struct Comment: Codable, Sendable, Equatable { var text: String }
    private static let comments = MockAnswer.json(#"[{"text": "hi"}]"#)

    @Test func `every method`() async throws {
        let mock = MockTransport(Self.comments, .status(204), .status(204), .status(204), .status(204))
        let client = makeClient(mock)
        let (token, body) = ("t", Data("{}".utf8))
        // sample
        let comments: [Comment] = try await client.request(.get("/comments", headers: ["X-A": "1"]).bearer(token))
        try await client.send(.put("/comments/1", body: body))
        try await client.send(.patch("/comments/1", body: body))
        try await client.send(.delete("/comments/1"))
        try await client.send(Endpoint(path: "/cache", method: "PURGE"))
        // end
        #expect(comments == [Comment(text: "hi")])
        #expect(mock.requests.map(\.method.rawValue) == ["GET", "PUT", "PATCH", "DELETE", "PURGE"])
    }

    @Test func `on a queue`() async throws {
        let client = makeClient(MockTransport(Self.comments))
        let (queue, first) = (DispatchQueue(label: "q"), FirstResult<[Comment]>())
        let show = first.give
        // sample
        client.request(.get("/comments"), as: [Comment].self, queue: queue) { result in show(result) }
        // end
        #expect(try await first.value()?.count == 1)
    }

    // sample
    private typealias CommentRequest = TypedEndpoint<[Comment]>
    // end

    @Test func `building and parsing`() async throws {
        let mock = MockTransport(Self.comments)
        let client = makeClient(mock)
        // sample
        var request = CommentRequest(.get("https://other.example.com/comments"))
        request.building = { $0.headers["X-Trace"] = "1" }
        request.decoding = .custom { data, response in try JSONDecoder().decode([Comment].self, from: data) }
        let comments = try await client.request(request)
        // end
        #expect(comments.count == 1 && mock.requests.first?.headers["X-Trace"] == "1")
        #expect(mock.requests.first?.url.host == "other.example.com")
    }

    @Test func `nothing`() async throws {
        let client = makeClient(MockTransport(.status(204), .status(200)))
        // sample
        let none: Comment? = try await client.request(.get("/comments/1"))
        let gone: Comment? = try await client.request(.delete("/comments/1"))
        // end
        #expect(none == nil && gone == nil)
    }

    @Test func `named statuses`() async {
        let client = makeClient(MockTransport(.status(418)))
        var shown = ""
        func show(_ words: String) { shown = words }
        // sample
        do throws(NetworkError) {
            try await client.send(.get("/me"))
        } catch {
            switch error.statusName {
            case .unauthorized, .forbidden: show("not you")
            case .notFound: show("nobody")
            default: show("status \(error.statusCode ?? 0)")  // every other one keeps its number
            }
        }
        // end
        #expect(shown == "status 418")
    }

    @Test func `tokens`() async throws {
        let mock = MockTransport(.status(200))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let session = (token: "t", id: 1)
        // sample
        let client = HTTPClient(
            baseURL: api, interceptors: [TokenSource(.query("api_key")) { session.token }],
            configuration: configuration)  // or .bearer, .header("X-Token"), .bodyField("token")
        // end
        try await client.send(.get("/me"))
        #expect(mock.requests.first?.url.query == "api_key=t")
    }

    @Test func `three depths`() async throws {
        let session = URLSessionConfiguration.ephemeral
        // sample
        let client: any HTTPClientContract = HTTPClientMock(.value([Comment(text: "hi")]))
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.json(#"[{"text": "hi"}]"#))
        let real = HTTPClient(baseURL: api, configuration: configuration)
        configuration.transport = URLSessionTransport(configuration: session)  // with its protocolClasses
        // end
        let (mocked, wired): ([Comment], [Comment]) = try await (
            client.request(.get("/comments")), real.request(.get("/comments"))
        )
        #expect(mocked == wired)
    }

    @Test func `the mock client`() async throws {
        // sample
        let mock = HTTPClientMock(.failure(NetworkError(kind: .offline)))  // first this, …
        mock.answer = .value([Comment(text: "hi")])  // … then this
        // end
        await #expect(throws: NetworkError.self) { let _: [Comment] = try await mock.request(.get("/comments")) }
        let comments: [Comment] = try await mock.request(.get("/comments"))
        #expect(comments.count == 1 && mock.endpoints == [.get("/comments"), .get("/comments")])
    }
}
