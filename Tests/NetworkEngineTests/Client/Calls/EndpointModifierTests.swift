import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Changes to an endpoint, in the order in which they are written.
@Suite(.timeLimit(.minutes(5))) struct EndpointModifierTests {
    private struct Draft: Codable, Equatable, Sendable { var firstName = "Ada" }
    private struct Broken: Encodable, Sendable { func encode(to encoder: any Encoder) throws { throw Failure() } }
    private struct Failure: Error {}

    private func sent(
        _ endpoint: Endpoint, _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) async throws -> HTTPRequest {
        let mock = MockTransport(.status(200))
        try await HTTPClient(mock, [], change).send(endpoint)
        return try #require(mock.requests.first)
    }

    @Test func `query items are added in order, and one without a value is left out`() async throws {
        let none: String? = nil
        let endpoint = Endpoint.get("/users?a=1").query("page", 2).query("q", none).query("name", "Ada & Bob")
        let request = try await sent(endpoint.query("page", 3))
        #expect(request.url.query(percentEncoded: true) == "a=1&page=2&name=Ada%20%26%20Bob&page=3")
    }

    @Test func `a header replaces those of the same name, and a token too`() async throws {
        let endpoint = Endpoint.get("/", headers: ["X-A": "1"]).header("x-a", "2").bearer("s").bearer("t")
        let request = try await sent(endpoint)
        #expect(request.headers["X-A"] == "2" && request.headers.values(for: "Authorization") == ["Bearer t"])
    }

    @Test func `limits are those of the endpoint`() {
        let endpoint = Endpoint.get("/").timeout(.seconds(5)).deadline(.seconds(9))
        #expect(endpoint.timeout == .seconds(5) && endpoint.deadline == .seconds(9))
    }

    @Test func `a form is sent with its content type, unless the endpoint has one`() async throws {
        let request = try await sent(.post("/sessions").form(["user": "Ada & Bob", "user": "Eve"]))
        #expect(request.body.data == Data("user=Ada%20%26%20Bob&user=Eve".utf8))
        #expect(request.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
        let typed = try await sent(.post("/", headers: ["Content-Type": "text/x"]).form(["a": "b"]))
        #expect(typed.headers["Content-Type"] == "text/x")
    }

    @Test func `the fields of a dictionary are sent in the order of their names`() async throws {
        let fields = ["b": "2", "a": "1 & 3", "c": ""]
        let request = try await sent(.post("/sessions").form(fields))
        #expect(request.body.data == Data("a=1%20%26%203&b=2&c=".utf8))
        #expect(request.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
        #expect(Endpoint.post("/").form(fields) == .post("/").form(["a": "1 & 3", "b": "2", "c": ""]))
    }

    @Test func `bytes are a body without a type of their own`() async throws {
        let request = try await sent(.put("/photo").json([1]).body(Data("x".utf8)))
        #expect(request.body.data == Data("x".utf8) && request.headers["Content-Type"] == nil)
    }

    @Test func `JSON is encoded by the client's encoder when it is sent, or by its own`() async throws {
        let endpoint = Endpoint.post("/users").json(Draft())
        #expect(endpoint.body == nil)
        let request = try await sent(endpoint) { $0.encoder.keyEncodingStrategy = .convertToSnakeCase }
        #expect(request.body.data == Data(#"{"first_name":"Ada"}"#.utf8))
        #expect(request.headers["Content-Type"] == "application/json")
        let own = try await sent(Endpoint.post("/users").json(Draft(), encoder: JSONEncoder())) {
            $0.encoder.keyEncodingStrategy = .convertToSnakeCase
        }
        #expect(own.body.data == Data(#"{"firstName":"Ada"}"#.utf8))
    }

    @Test func `a value that cannot be encoded fails the call before anything is sent`() async {
        let mock = MockTransport()
        let error = await #expect(throws: NetworkError.self) {
            try await HTTPClient(mock).send(.post("/").json(Broken()))
        }
        #expect(error?.kind == .encoding && mock.requests.isEmpty)
    }

    @Test func `an upload without a body fails before anything is sent`() async {
        let mock = MockTransport()
        let error = await #expect(throws: NetworkError.self) { try await HTTPClient(mock).upload(.post("/")) }
        #expect(error?.kind == .invalidRequest && error?.reason == "there is no body to upload")
        #expect(mock.requests.isEmpty)
    }

    @Test func `a form and JSON replace each other, with their content types`() async throws {
        let json = try await sent(.post("/").form(["a": "b"]).json([1]))
        #expect(json.body.data == Data("[1]".utf8) && json.headers["Content-Type"] == "application/json")
        let form = try await sent(.post("/").body(Data("x".utf8)).json([1]).form(["a": "b"]))
        #expect(form.body.data == Data("a=b".utf8))
        #expect(form.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
        #expect(Endpoint.post("/").form(["a": "b"]) == .post("/").form(["a": "b"]))
        #expect(Endpoint.post("/").form(["a": "b"]) != .post("/").form(["a": "c"]))
    }

    @Test func `content replaces the form of an endpoint with its type, and keeps a type of the caller`() async throws {
        let form = Endpoint.post("/").form(["a": "b"])
        #expect(try await sent(form).headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true)
        let json = try await sent(form.json([1]))
        #expect(json.body.data == Data("[1]".utf8) && json.headers["Content-Type"] == "application/json")
        #expect(try await sent(form.body(.data(Data("x".utf8)))).headers["Content-Type"] == nil)
        #expect(form.json([1]) == .post("/").json([1]))
        let typed = form.header("Content-Type", "text/x")
        for endpoint in [typed, typed.json([1])] {
            #expect(try await sent(endpoint).headers.values(for: "Content-Type") == ["text/x"])
        }
    }

    @Test func `the content that was set last is sent`() async throws {
        let request = try await sent(.post("/").json([1]).body(.data(Data("x".utf8))))
        #expect(request.body.data == Data("x".utf8))
    }

    @Test func `endpoints are equal if their values are, whatever their closures do`() {
        let endpoint = Endpoint.post("/users")
        #expect(endpoint.json(Draft()) == endpoint.json(Draft()))
        #expect(endpoint.json(Draft()) != endpoint.json(Draft(firstName: "Bob")) && endpoint.json(Draft()) != endpoint)
        #expect(endpoint.file(URL(fileURLWithPath: "/a")) == endpoint.file(URL(fileURLWithPath: "/a")))
        #expect(endpoint.file(URL(fileURLWithPath: "/a")) != endpoint.file(URL(fileURLWithPath: "/b")))
        #expect(Set([endpoint.json(Draft()), endpoint.json(Draft()), endpoint]).count == 2)
        var built = endpoint
        built.building = { $0.headers["X"] = "1" }
        built.validation = .anyResponse
        #expect(built == endpoint)
        built.authorization = .anonymous
        #expect(built != endpoint)
    }

    @Test func `endpoints are equal if their JSON is, as their own encoders write it`() {
        struct Named: Encodable, Sendable { var firstName = "Ada", ages = ["b": 1, "a": 2] }
        let endpoint = Endpoint.post("/users")
        let encoders = (0..<2).map { _ in JSONEncoder() }
        encoders[1].keyEncodingStrategy = .convertToSnakeCase
        #expect(endpoint.json(Named(), encoder: encoders[0]) == endpoint.json(Named(), encoder: JSONEncoder()))
        #expect(endpoint.json(Named(), encoder: encoders[0]) == endpoint.json(Named()))
        #expect(endpoint.json(Named(), encoder: encoders[1]) == endpoint.json(Named(), encoder: encoders[1]))
        #expect(endpoint.json(Named(), encoder: encoders[1]) != endpoint.json(Named(), encoder: encoders[0]))
        #expect(endpoint.json("a", encoder: encoders[1]) == endpoint.json("a", encoder: encoders[0]))
    }

    @Test func `endpoints with equal bodies are equal, unless the body is a stream`() {
        let endpoint = Endpoint.put("/users")
        let bodies: [RequestBody] = [
            .absent, .data(Data("x".utf8)), .data(Data("y".utf8)), .file(URL(fileURLWithPath: "/a")),
            .file(URL(fileURLWithPath: "/b")),
        ]
        for (index, body) in bodies.enumerated() {
            let equal = bodies.indices.filter { endpoint.body(bodies[$0]) == endpoint.body(body) }
            #expect(equal == [index])
        }
        #expect(Set([endpoint.body(bodies[1]), endpoint.body(bodies[1])]).count == 1)
        let stream = RequestBody.stream(BodyStream(AsyncStream(Data.self) { $0.finish() }))
        #expect(endpoint.body(stream) != endpoint.body(stream))
    }
}
