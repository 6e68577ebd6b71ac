import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TargetsAndTasksTests {
    // sample
    enum NotesAPI: TargetType {
        case search(String, page: Int), note(Int)

        var baseURL: URL { URL(string: "https://api.example.com/v1")! }
        var path: EndpointPath { if case .note(let id) = self { "/notes/\(id)" } else { "/notes" } }
        var task: NetworkTask {
            switch self {
            case .search(let text, let page):
                .requestParameters(parameters: ["text": text, "page": page], encoding: .query)
            case .note: .requestPlain
            }
        }
    }
    // end
}

/// The samples of “Targets and tasks”.
@Suite(.timeLimit(.minutes(5))) struct TargetsAndTasksTests {
    @Test(arguments: [("a/b c?", "/tags/a%2Fb%20c%3F"), ("50%2F", "/tags/50%252F")])
    func `text of a user is one segment of a path`(text: String, path: String) async throws {
        let mock = MockTransport(.status(204))
        let (name, escaped) = ("docs/a b", "a%2Fb")
        // sample
        let tag = AnyTarget(baseURL: api, path: "/tags/\(text)")  // a/b c? is sent as /tags/a%2Fb%20c%3F
        let file = Endpoint.get("/files/\(path: name)")  // several segments: /files/docs/a%20b
        let item = Endpoint.get("/items/\(raw: escaped)")  // escaped already, and sent as it is
        // end
        let provider: NetworkProvider<AnyTarget> = makeProvider(mock)
        try await provider.request(tag)
        #expect(file.path == "/files/docs/a%20b" && item.path == "/items/a%2Fb" && tag.template == "/tags/{}")
        #expect(mock.requests.map(\.url.absoluteString) == ["https://api.example.com" + path])
    }

    private nonisolated struct Note: Codable, Sendable { var noteText = "hi" }

    /// A request as the article shows it: request line, content type, and body.
    private func cells(_ request: LoopbackRequest) -> String {
        let type = request.headers["Content-Type"].map { type in
            let parts = type.components(separatedBy: "boundary=")
            return parts.count == 2 ? "`\(parts[0])boundary=…`" : "`\(type)`"
        }
        let names = request.text.components(separatedBy: "; name=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        let parts = names.map { "`\($0)`" }.joined(separator: " and ")
        let body = request.text.isEmpty ? "none" : names.isEmpty ? "`\(request.text)`" : "the parts \(parts)"
        return "`\(request.method.rawValue) \(request.target)` | \(type ?? "none") | \(body) |"
    }

    private func article() throws -> String {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources").standardized
        let file = folder.appendingPathComponent("NetworkEngine/NetworkEngine.docc/TargetsAndTasks.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    private func configurations() -> [NetworkConfiguration] {
        var overCurl = NetworkConfiguration()
        overCurl.transport = CurlTransport()
        return CurlTransport.isAvailable ? [NetworkConfiguration(), overCurl] : [NetworkConfiguration()]
    }

    @Test func `each task is on the wire what the article says`() async throws {
        let place = try TemporaryFolder()
        let file = place.url.appendingPathComponent("hi.txt")
        defer { withExtendedLifetime(place) {} }
        try Data("hi".utf8).write(to: file)
        let (data, note, snakeCase) = (Data("hi".utf8), Note(), JSONEncoder())
        snakeCase.keyEncodingStrategy = .convertToSnakeCase
        let parts = [
            MultipartFormData.text("hi", name: "text"), MultipartFormData(provider: .file(file), name: "file"),
        ]
        // sample
        let tasks: [NetworkTask] = [
            .requestPlain,
            .requestData(data),
            .requestJSONEncodable(note),
            .requestCustomJSONEncodable(note, encoder: snakeCase),
            .requestParameterEncodable(note),
            .requestParameters(parameters: ["page": 2], encoding: .query),
            .requestCompositeData(bodyData: data, urlParameters: ["page": 2]),
            .requestCompositeParameters(bodyParameters: ["text": "hi"], urlParameters: ["page": 2]),
            .uploadFile(file),
            .uploadMultipart(parts),
            .uploadCompositeMultipart(parts, urlParameters: ["page": 2]),
            .downloadDestination(.temporary),
            .downloadParameters(parameters: ["page": 2], encoding: .query, destination: .temporary),
        ]
        // end
        let rows = try article().components(separatedBy: "\n").filter { $0.hasPrefix("| ``NetworkTask/") }
        #expect(rows.count == tasks.count)
        for configuration in configurations() {
            for (row, task) in zip(rows, tasks) {
                let server = try LoopbackServer { _ in .text("ok") }
                let method: HTTPMethod = row.contains("`GET") ? .get : .post
                let target = AnyTarget(baseURL: server.url, path: "/notes", method: method, task: task)
                let provider = NetworkProvider<AnyTarget>(configuration: configuration)
                if row.contains("/download") {
                    try FileManager.default.removeItem(at: await provider.download(target))
                } else {
                    _ = try await provider.send(target)
                }
                let request = try #require(server.requests.first)
                #expect(row.hasSuffix("| " + cells(request)), "\(row), but it is \(cells(request))")
                let name = try #require(
                    row.components(separatedBy: "/").dropFirst().first?.prefix { $0 != "(" && $0 != "`" })
                #expect("\(task)".hasPrefix(name))
            }
        }
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `each encoding puts parameters where the article says`(method: HTTPMethod) async throws {
        let encodings: [(String, any ParameterEncoding)] = [
            ("query", .query), ("formBody", .formBody), ("json", .json), ("automatic", .automatic),
        ]
        for (name, encoding) in encodings where method == .post || ["query", "automatic"].contains(name) {
            let server = try LoopbackServer { _ in .text("ok") }
            let task = NetworkTask.requestParameters(parameters: ["tags": ["a", "b"], "page": 2], encoding: encoding)
            let target = AnyTarget(baseURL: server.url, path: "/notes", method: method, task: task)
            _ = try await NetworkProvider<AnyTarget>().send(target)
            let row = "| `.\(name)` | " + cells(try #require(server.requests.first))
            #expect(try article().contains(row), "\(row)")
        }
    }

    @Test func `a query keeps characters that a server does not undo`() async throws {
        let mock = MockTransport(.status(204))
        // sample
        var lists = QueryEncoder()
        lists.unescapedCharacters = [","]
        let chosen = NetworkTask.requestParameters(parameters: ["ids": "1,2"], encoding: .query(lists))  // ?ids=1,2
        // end
        let provider: NetworkProvider<AnyTarget> = makeProvider(mock)
        try await provider.request(AnyTarget(baseURL: api, path: "/notes", task: chosen))
        #expect(mock.requests.map(\.url.absoluteString) == ["https://api.example.com/notes?ids=1,2"])
    }

    // sample
    nonisolated struct Filter: Encodable, Sendable {
        var tag: String?
        var since: Date?
        var text = "green tea"
    }
    // end

    @Test func `a query has neither nil nor blanks`() async throws {
        let mock = MockTransport(.status(204))
        let provider: NetworkProvider<AnyTarget> = makeProvider(mock)
        // sample
        let found = AnyTarget(baseURL: api, path: "/notes", task: .requestParameterEncodable(Filter(tag: "a")))
        try await provider.request(found)  // /notes?tag=a&text=green%20tea
        // end
        #expect(mock.requests.map(\.url.query) == ["tag=a&text=green%20tea"])
    }

    @Test func `a target is built without being sent`() async throws {
        let mock = MockTransport(.status(204))
        let provider: NetworkProvider<NotesAPI> = makeProvider(mock)
        // sample
        let request = try provider.urlRequest(for: .search("tea", page: 1))
        // end
        #expect(request.url?.path == "/v1/notes" && request.url?.query?.contains("text=tea") == true)
        try await provider.request(.note(7))
        #expect(mock.requests.map(\.url.path) == ["/v1/notes/7"])
    }

    @Test func `a connection is opened before the first call`() async throws {
        let mock = MockTransport(.status(204), .status(204))
        let (client, provider): (HTTPClient, NetworkProvider<NotesAPI>) = (makeClient(mock), makeProvider(mock))
        // sample
        try await client.prepare()  // the server of the base
        try await provider.prepare(for: .note(7))  // the server of a target
        // end
        #expect(mock.requests.map(\.method) == [.head, .head] && mock.requests.map(\.url.path) == ["/", "/"])
    }

    @Test func `a target of any type has its own properties`() async throws {
        let mock = MockTransport(.status(204), .status(204))
        let draft = Draft(name: "Ada")
        let provider: NetworkProvider<AnyTarget> = makeProvider(mock)
        // sample
        var slow = AnyTarget(NotesAPI.note(7))
        slow.timeout = .seconds(120)
        let note = try await provider.send(slow)
        let made = AnyTarget(baseURL: api, path: "/users", method: .post, task: .requestJSONEncodable(draft))
        try await provider.request(made)
        // end
        #expect(note.request.timeout == .seconds(120) && mock.requests.map(\.method) == [.get, .post])
    }

    @Test func `a client needs no enum`() async throws {
        let mock = MockTransport(ada, .status(204), .status(204), ada)
        let client = makeClient(mock)
        let draft = Draft(name: "Ada")
        // sample
        let user: User = try await client.request(.get("/users/7", headers: [.acceptLanguage("en")]))
        try await client.send(.put("/users/7").json(draft))
        try await client.send(Endpoint(path: "/cache", method: "PURGE"))
        let made: User = try await client.request(.post("/users").form(["name": "Ada"]))
        // end
        #expect(user == made)
        #expect(mock.requests.map(\.method.rawValue) == ["GET", "PUT", "PURGE", "POST"])
    }

    @Test func `an endpoint has the type of its value`() async throws {
        let mock = MockTransport(.json("[1, 2]"))
        let client = makeClient(mock)
        // sample
        var count = TypedEndpoint(.get("/users"), decoding: .custom { data, response in data.count })
        count.validation = .statusCodes([200])
        count.building = { request in request.headers["X-Trace"] = "1" }
        let bytes = try await client.request(count)
        // end
        #expect(bytes == 6 && mock.requests.first?.headers["X-Trace"] == "1")
    }

    @Test func `an empty response is no value`() async throws {
        let client = makeClient(MockTransport(.status(204), .status(200)))
        // sample
        let user: User? = try await client.request(.get("/users/7"))
        // end
        let gone: User? = try await client.request(.delete("/users/7"))
        #expect(user == nil && gone == nil)
    }

    @Test func `a failure that does not matter is ignored`() async {
        let mock = MockTransport(.status(500))
        let provider: NetworkProvider<NotesAPI> = makeProvider(mock)
        _ = try? await provider.request(.note(7))
        #expect(mock.requests.count == 1)
    }

    @Test func `an encoder is for all bodies or for one`() async throws {
        let (mock, note, encoder) = (MockTransport(.status(204), .status(204)), Note(), JSONEncoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        configuration.encoder = encoder  // for all bodies
        let client = HTTPClient(baseURL: api, configuration: configuration)
        try await client.send(.post("/notes").json(note))
        try await client.send(.post("/notes").json(note, encoder: JSONEncoder()))  // for one call
        // end
        let bodies = mock.requests.map { $0.body.data.map { String(decoding: $0, as: UTF8.self) } }
        #expect(bodies == [#"{"note_text":"hi"}"#, #"{"noteText":"hi"}"#])
    }

    @Test func `a decoder is for all calls or for one`() async throws {
        nonisolated struct Name: Decodable, Sendable { var firstName: String }
        let mock = MockTransport(.json(#"{"first_name": "Ada"}"#), .json(#"{"first_name": "Ada"}"#))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        configuration.decoder = decoder  // for all calls
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let one: Name = try await client.request(.get("/me"))
        let two: Name = try await client.request(.get("/me"), decoding: .json(decoder))  // for one call
        // end
        #expect(one.firstName == two.firstName)
    }

    @Test func `a task that does not fit its method is not sent`() async throws {
        let mock = MockTransport()
        let provider: NetworkProvider<AnyTarget> = makeProvider(mock)
        let download = AnyTarget(baseURL: api, path: "/", task: .downloadDestination(.temporary))
        let error = await #expect(throws: NetworkError.self) { try await provider.data(download) }
        #expect(error?.kind == .invalidRequest && mock.requests.isEmpty)
    }
}
