import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// The right-hand sides of “Coming from Get”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromGetTests {
    @Test func `a client with a decoder and headers`() async throws {
        let mock = MockTransport(.json(#"{"first_name": "Ada"}"#))
        nonisolated struct Name: Decodable, Sendable { var firstName: String }
        // sample
        var configuration = NetworkConfiguration()
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.headers = ["X-App": "7"]
        let client = HTTPClient(baseURL: api, configuration: configuration)
        // end
        try client.validate()
        configuration.transport = mock
        let mocked = HTTPClient(baseURL: api, configuration: configuration)
        let name: Name = try await mocked.request(.get("/me"))
        #expect(name.firstName == "Ada" && mock.requests.first?.headers["X-App"] == "7")
    }

    @Test func `values, bodies and responses`() async throws {
        let mock = MockTransport(ada, ada, .status(204), .status(204), ada, .text("hi"))
        let client = makeClient(mock)
        let draft = Draft(name: "Ada")
        // sample
        let user: User = try await client.request(.get("/users", query: ["id": "7"]))
        let made: User = try await client.request(.post("/users").json(draft))
        try await client.send(.delete("/users/7"))
        let none: User? = try await client.request(.get("/users/8"))
        let response: NetworkResponse<User> = try await client.response(.get("/users/7"))
        let text = try await client.request(.get("/text"), decoding: .string)
        // end
        #expect(user == made && none == nil && response.value == user && text == "hi")
        #expect(mock.requests.first?.url.query == "id=7")
    }

    // sample
    enum Paths {
        static var me: TypedEndpoint<User> { TypedEndpoint(.get("/me")) }
        static func user(_ id: Int) -> TypedEndpoint<User> { TypedEndpoint(.get("/users/\(id)")) }
    }
    // end

    @Test func `requests with a type`() async throws {
        let client = makeClient(MockTransport(ada, ada))
        // sample
        let me = try await client.request(Paths.me)
        // end
        #expect(try await client.request(Paths.user(7)) == me)
    }

    private actor Session {
        var token: String? = "old"
        func refresh() { token = "new" }
    }

    @Test func `a token that is refreshed after a 401`() async throws {
        let (mock, session) = (MockTransport(.status(401), ada), Session())
        // sample
        let interceptor = DefaultInterceptor(
            refreshToken: {
                await session.refresh()
                return true
            },
            token: { await session.token })
        // end
        let user: User = try await makeClient(mock, [interceptor]).request(.get("/me"))
        #expect(user.id == 7 && mock.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    private nonisolated struct Refusal: Decodable { var reason: String }

    @Test func `errors with a body`() async {
        let client = makeClient(MockTransport(.json(#"{"reason": "taken"}"#, status: 409)))
        var shown: [String?] = []
        func show(_ code: Int?, _ reason: String?) { shown = [code?.description, reason] }
        // sample
        do {
            try await client.send(.post("/users"))
        } catch {
            show(error.statusCode, error.body(as: Refusal.self)?.reason)
        }
        // end
        #expect(shown == ["409", "taken"])
    }

    @Test func `uploads and downloads`() async throws {
        let place = try TemporaryFolder()
        let (file, copy) = (place.url.appendingPathComponent("a.txt"), place.url.appendingPathComponent("b.txt"))
        defer { withExtendedLifetime(place) {} }
        try Data("text".utf8).write(to: file)
        let server = try LoopbackServer { _ in .text("text") }
        let client = HTTPClient(baseURL: server.url)
        // sample
        try await client.upload(.post("/files").file(file))
        let saved = try await client.download(.get("/files/a"), to: .file(at: copy))
        // end
        #expect(try Data(contentsOf: saved) == Data("text".utf8))
    }

    @Test func `a mock`() async throws {
        // sample
        let mock = MockTransport()
        mock.on(.get, "/users/:id").answers(.json(#"{"id": 7, "name": "Ada"}"#))
        // end
        let user: User = try await makeClient(mock).request(.get("/users/7"))
        #expect(user.name == "Ada")
    }
}
