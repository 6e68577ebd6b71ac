import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineStreams
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Rules of a mock transport”.
@Suite(.timeLimit(.minutes(5))) struct MockRulesTests {
    private func configuration(_ mock: MockTransport) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return configuration
    }

    private func client(_ mock: MockTransport, base: URL = api) -> HTTPClient {
        HTTPClient(baseURL: base, configuration: configuration(mock))
    }

    @Test func `a pattern is compared with the whole path`() async throws {
        let fixtures = FixtureLoader.bundle(Fixtures.bundle)
        // sample
        let mock = MockTransport()
        mock.on(.get, "/v1/users/:id").answers(.json(#"{"id": 7, "name": "Ada"}"#).repeating())
        mock.on(.get, "**/contacts").answers(.fixture("Contacts", in: fixtures))
        mock.on(.delete).answers(.empty)

        let client = HTTPClient(baseURL: URL(string: "https://api.example.com/v1")!, configuration: configuration(mock))
        let user: User = try await client.request(.get("/users/7"))
        // end
        try await client.send(.get("/contacts"))
        try await client.send(.delete("/users/7"))
        #expect(user.name == "Ada")
        try mock.checkAllUsed()
    }

    @Test func `answers are given one after the other`() async throws {
        let (mock, text) = (MockTransport(), "done")
        let client = client(mock)
        // sample
        mock.on(.get, "/report").answers(.status(202).repeating(2), .text(text))
        mock.on(.get, "/report").answers(.status(410).repeating())
        // end
        var statuses: [Int?] = []
        for _ in 1...5 {
            do throws(NetworkError) {
                statuses.append(try await client.send(.get("/report")).statusCode)
            } catch {
                statuses.append(error.statusCode)
            }
        }
        #expect(statuses == [202, 202, 200, 410, 410])
    }

    @Test func `a rule can look at query, headers and body`() async throws {
        let mock = MockTransport()
        let client = client(mock)
        // sample
        mock.on(.get, "/users", query: ["page": "2", "search": "*"]).answers(.json("[]"))
        mock.on(.get, "/me", headers: ["Authorization": "Bearer new"]).answers(.json(#"{"id": 7, "name": "Ada"}"#))
        mock.on(.get, "/me").answers(.status(401).repeating())
        mock.on(.post, "/users", json: #"{"name": "Ada"}"#).answers(.status(409))
        mock.on(.post, "/users", where: { $0.headers["Idempotency-Key"] == nil }).answers(.status(400))
        // end
        let endpoints: [Endpoint] = [
            .get("/users?page=2&search=a"), .get("/me", headers: ["Authorization": "Bearer new"]), .get("/me"),
            .post("/users").body(Data(#"{"name": "Ada", "age": 36}"#.utf8)), .post("/users"),
        ]
        var statuses: [Int?] = []
        for endpoint in endpoints {
            do throws(NetworkError) {
                statuses.append(try await client.send(endpoint).statusCode)
            } catch {
                statuses.append(error.statusCode)
            }
        }
        #expect(statuses == [200, 200, 401, 409, 400])
    }

    @Test func `a closure computes an answer`() async throws {
        let mock = MockTransport()
        let client = client(mock)
        // sample
        mock.on(.get, "/users/:id").answers(
            .handler { request, parameters in
                guard let id = parameters["id"].flatMap(Int.init) else { return .status(404) }
                return .json(User(id: id, name: "Ada"))
            }.repeating())
        // end
        let user: User = try await client.request(.get("/users/9"))
        #expect(user.id == 9)
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/users/ada")) }
        #expect(error?.statusCode == 404)
    }

    @Test func `events are a text`() async throws {
        let mock = MockTransport()
        let client = client(mock)
        var shown: [String] = []
        // sample
        let text = "event: price\ndata: {\"cents\": 7}\n\ndata: {\"cents\": 8}\n\n"
        mock.on(.get, "/prices").answers(.data(Data(text.utf8), type: "text/event-stream"), .status(204))
        // end
        var events = client.events(.get("/prices"))
        events.retryDelay = .milliseconds(1)
        for try await event in events { shown.append(event.name) }
        #expect(shown == ["price", "message"])
        // sample
        let news = HTTPClientMock(.data(Data("data: first\n\n".utf8), type: "text/event-stream"), .empty)
        // end
        var latest = news.events(.get("/news"))
        latest.retryDelay = .milliseconds(1)
        for try await event in latest { shown.append(event.data) }
        #expect(shown.last == "first")
    }

    @Test func `requests are recorded`() async throws {
        let mock = MockTransport()
        let client = client(mock)
        // sample
        let sent = mock.on(.post, "/users").answers(.empty.repeating())
        mock.on(.get, "/users").answers(.json("[]")).optional()
        // end
        try await client.send(.post("/users").json(Draft(name: "Ada")))
        // sample
        #expect(sent.requests.count == 1 && mock.requests.last?.headers["Content-Type"] == "application/json")
        try mock.checkAllUsed()  // throws for answers that are left, except those of an optional() rule
        // end
    }

    @Test func `a missing answer names the closest rule`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/v1/users").answers(.json("[]"))
        let client = client(mock)
        var shown = ""
        func show(_ text: String) { shown = text }
        // sample
        do {
            try await client.send(.get("/users"))
        } catch {
            show(error.reason)  // no rule of the mock answers this request; closest is rule 1 (GET /v1/users): …
        }
        // end
        #expect(
            shown.hasPrefix(
                "no rule of the mock answers this request; closest is rule 1 (GET /v1/users): the path is /users"))
    }

    @Test func `a mapper hides the reason, and the mock has it`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/v1/users").answers(.json("[]"))
        let users = HTTPClient(baseURL: api, configuration: configuration(mock)).mapErrors(with: APIErrorMapper())
        await #expect(throws: APIError.self) { try await users.send(.get("/users")) }
        var shown = ""
        func show(_ text: String) { shown = text }
        // sample
        for request in mock.unanswered { show("\(request)") }  // the request, then a line for each rule
        // end
        #expect(shown.contains("\n  rule 1 (GET /v1/users): the path is /users"))
    }
}
