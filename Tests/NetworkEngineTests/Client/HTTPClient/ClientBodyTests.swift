import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The requests for endpoints with forms, JSON, files, headers and time limits.
@Suite(.timeLimit(.minutes(5))) struct ClientBodyTests {
    private struct User: Codable, Equatable, Sendable { var id: Int }
    private struct Moment: Encodable, Sendable { var at = Date(timeIntervalSince1970: 60) }

    private let mock = MockTransport(.json(#"{"id": 7}"#).repeating())

    private func sent(_ endpoint: Endpoint) async throws -> HTTPRequest {
        try await HTTPClient(mock).send(endpoint)
        return try #require(mock.requests.last)
    }

    @Test func `a form keeps the order of its fields and escapes them`() async throws {
        let request = try await sent(.post("/login").form([("user", "Ada & Bob"), ("a", "1"), ("a", "é+")]))
        #expect(request.method == .post && request.url.path == "/v1/login")
        #expect(request.body.data == Data("user=Ada%20%26%20Bob&a=1&a=%C3%A9%2B".utf8))
        #expect(request.headers == ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"])
    }

    @Test func `the fields of a form can be a literal, an array or a dictionary`() async throws {
        let name = "b"
        let (array, dictionary) = ([("b", "1"), ("a", "2")], ["b": "1", "a": "2"])
        let forms: [(form: Endpoint, body: String)] = [
            (.put("/", headers: ["X": "1"]).form([name: "1", "a": "2", name: "3"]), "b=1&a=2&b=3"),
            (.put("/", headers: ["X": "1"]).form(array), "b=1&a=2"), (.put("/", headers: ["X": "1"]).form([]), ""),
            (.put("/", headers: ["X": "1"]).form(dictionary), "a=2&b=1"),
        ]
        for (form, body) in forms {
            let request = try await sent(form)
            #expect(request.body.data == Data(body.utf8) && request.method == .put)
            #expect(request.headers["X"] == "1" && request.headers.contains("Content-Type"))
        }
        let typed = try await sent(.post("/", headers: ["content-type": "text/x"]).form([]))
        #expect(typed.headers == ["content-type": "text/x"] && typed.body.data == Data())
    }

    @Test func `headers of an endpoint can be a dictionary, and a literal can contain a name twice`() async throws {
        let common = ["X-B": "2", "X-A": "1"]
        #expect(Array(Endpoint(path: "/", headers: common).headers).map(\.name) == ["X-A", "X-B"])
        let name = "A"
        #expect(Endpoint.get("/", headers: [name: "1", name: "2"]).headers.values(for: "a") == ["1", "2"])
        #expect(Endpoint(path: "/", headers: [name: "1", name: "2"]).headers.count == 2)
    }

    @Test func `an endpoint of every method has its headers and its query`() async throws {
        let path = String("/a")
        let endpoints: [Endpoint] = [
            .get("/a", query: ["b": 1], headers: ["X": "1"]), .head("/a", query: ["b": 1], headers: ["X": "1"]),
            .options("/a", query: ["b": 1], headers: ["X": "1"]), .post("/a", query: ["b": 1], headers: ["X": "1"]),
            .put("/a", query: ["b": 1], headers: ["X": "1"]), .patch("/a", query: ["b": 1], headers: ["X": "1"]),
            .delete("/a", query: ["b": 1], headers: ["X": "1"]),
            .get(path, query: ["b": 1], headers: ["X": "1"]), .head(path, query: ["b": 1], headers: ["X": "1"]),
            .options(path, query: ["b": 1], headers: ["X": "1"]), .post(path, query: ["b": 1], headers: ["X": "1"]),
            .put(path, query: ["b": 1], headers: ["X": "1"]), .patch(path, query: ["b": 1], headers: ["X": "1"]),
            .delete(path, query: ["b": 1], headers: ["X": "1"]),
        ]
        let methods: [HTTPMethod] = [.get, .head, .options, .post, .put, .patch, .delete]
        #expect(endpoints.map(\.method) == methods + methods)
        for endpoint in endpoints {
            let request = try await sent(endpoint)
            #expect(request.url.path == "/v1/a" && request.url.query == "b=1" && request.headers["X"] == "1")
        }
    }

    @Test func `an endpoint has the body that was set last`() async throws {
        let bytes = Data("x".utf8)
        var endpoint = Endpoint.post("/").json([1])
        #expect(endpoint.body == nil)
        endpoint.body = bytes
        #expect(endpoint.body == bytes && endpoint == .post("/").body(bytes))
        #expect(endpoint == Endpoint(path: "/", method: .post, body: bytes))
        #expect(try await sent(endpoint).body.data == bytes)
        #expect(try await sent(endpoint.form(["a": "b"])).body.data == Data("a=b".utf8))
        endpoint.body = nil
        #expect(endpoint == .post("/") && endpoint.hashValue == Endpoint.post("/").hashValue)
    }

    @Test func `an endpoint can have a timeout`() async throws {
        #expect(try await sent(.get("/").timeout(.seconds(3))).timeout == .seconds(3))
        #expect(try await sent(Endpoint(path: "/").timeout(.seconds(4))).timeout == .seconds(4))
        #expect(try await sent(.get("/")).timeout == nil)
        var typed = TypedEndpoint<User>(.get("/").timeout(.seconds(5)))
        _ = try await HTTPClient(mock).request(typed)
        typed.timeout = .seconds(6)
        _ = try await HTTPClient(mock).request(typed)
        #expect(mock.requests.suffix(2).map(\.timeout) == [.seconds(5), .seconds(6)])
    }

    @Test func `a value can be sent as JSON for its response`() async throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let client = HTTPClient(mock) { $0.encoder = encoder }
        let response = try await client.send(.put("/").json(Moment()))
        #expect(response.statusCode == 200 && mock.requests.last?.body.data == Data(#"{"at":60}"#.utf8))
        try await client.send(.put("/").json(Moment(), encoder: JSONEncoder()))
        #expect(mock.requests.last?.body.data != Data(#"{"at":60}"#.utf8))
    }

    @Test func `the type of a value can be an argument`() async throws {
        let client = HTTPClient(mock)
        #expect(try await client.request(.get("/"), as: User.self) == User(id: 7))
        #expect(try await client.request(.get("/"), as: Data.self) == Data(#"{"id": 7}"#.utf8))
        let contract: any HTTPClientContract = HTTPClientMock(.value(User(id: 8)))
        #expect(try await contract.request(.get("/"), as: User.self) == User(id: 8))
    }

    @Test func `a plain endpoint can be started with a handle`() async throws {
        let handle = HTTPClient(mock).start(.get("/users/7"), as: User.self)
        #expect(try await handle.value == User(id: 7))
        let hanging: RequestHandle<User> = HTTPClient(MockTransport(.hang)).start(.get("/"))
        hanging.cancel()
        #expect(await hanging.result.error?.kind == .cancelled)
    }

    @Test func `a form with text, JSON and a file is uploaded`() async throws {
        let folder = try TemporaryFolder()
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let client = HTTPClient(mock) { $0.encoder = encoder }
        let parts: [MultipartFormData] = [
            .text("Ada", name: "name"), .json(Moment(), name: "moment"),
            MultipartFormData(provider: .file(try folder.file("a.png", "pixels")), name: "photo"),
        ]
        let user: User = try await client.upload(.post("/users").multipart(parts))
        let request = try #require(mock.requests.last)
        let text = String(decoding: request.body.data ?? Data(), as: UTF8.self)
        #expect(user.id == 7 && request.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(text.contains("name=\"name\"\r\n\r\nAda\r\n"))
        #expect(text.contains("name=\"moment\"\r\nContent-Type: application/json\r\n\r\n{\"at\":60}\r\n"))
        #expect(text.contains("filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\npixels\r\n"))
    }

    @Test func `a file is uploaded as the body`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", "{}")
        let client = HTTPClient(mock)
        #expect(try await client.upload(.put("/a").file(file), as: User.self) == User(id: 7))
        #expect(mock.requests.last?.headers["Content-Type"] == "application/json")
        try await client.upload(.put("/a", headers: ["Content-Type": "text/x"]).file(file))
        #expect(mock.requests.last?.headers["Content-Type"] == "text/x")
        #expect(mock.requests.last?.body.data == Data("{}".utf8))
    }

    @Test func `an upload without a file or without parts fails before it is sent`() async {
        let client = HTTPClient(mock)
        let missing = URL(fileURLWithPath: "/nowhere/a.txt")
        let uploads: [@Sendable () async throws -> Void] = [
            { try await client.upload(.post("/").file(missing)) },
            { try await client.upload(.post("/").multipart([])) },
        ]
        for upload in uploads {
            let error = await #expect(throws: NetworkError.self) { try await upload() }
            #expect(error?.kind == .invalidRequest)
        }
        #expect(mock.requests.isEmpty)
    }

    @Test func `interceptors see uploads and downloads as such`() async throws {
        struct Watch: RequestInterceptor {
            let tasks = Locked<[String]>([])
            func adapt(_ request: HTTPRequest, context: RequestContext) -> HTTPRequest {
                tasks.withLock {
                    $0.append(context.target.map { "\($0.task)".prefix { $0 != "(" } }.map(String.init) ?? "")
                }
                return request
            }
        }
        let watch = Watch()
        let client = HTTPClient(mock, [watch])
        try await client.upload(.post("/").multipart([.text("a", name: "b")]))
        try FileManager.default.removeItem(at: try await client.download(.get("/")))
        try await client.send(.get("/"))
        #expect(watch.tasks.withLock { $0 } == ["uploadMultipart", "downloadDestination", "requestPlain"])
    }
}
