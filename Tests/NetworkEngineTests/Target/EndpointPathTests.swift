import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct EndpointPathTests {
    private let mock = MockTransport(.status(204).repeating())

    private func address(_ endpoint: Endpoint, base: String = "https://a.test/v1") async throws -> String {
        try await HTTPClient(mock, base: try #require(URL(string: base))).send(endpoint)
        return try #require(mock.requests.last).url.absoluteString
    }

    /// The error of a call that doesn't send anything.
    private func refusal(_ endpoint: Endpoint) async -> NetworkError? {
        let error = await #expect(throws: NetworkError.self, "\(endpoint)") { try await address(endpoint) }
        #expect(mock.requests.isEmpty)
        return error
    }

    private enum Notes: TargetType {
        case all
        case note(String)
        case file(String)

        var baseURL: URL { API.base }
        var path: EndpointPath {
            switch self {
            case .all: "/notes"
            case .note(let id): "/notes/\(id)"
            case .file(let name): "/files/\(path: name)"
            }
        }
        var method: HTTPMethod { .delete }
    }

    private enum Texts: TargetType {
        case note(String)

        var baseURL: URL { API.base }
        var path: String { if case .note(let id) = self { "/notes/\(id)" } else { "/notes" } }
    }

    @Test(arguments: [
        ("7", "7"), ("../users/victim", "..%2Fusers%2Fvictim"), ("a/b?x=1#f", "a%2Fb%3Fx%3D1%23f"),
        ("ä ö", "%C3%A4%20%C3%B6"),
        ("%2e%2e", "%252e%252e"), ("..\\x", "..%5Cx"), ("..;x", "..%3Bx"), ("..\u{301}", "..%CC%81"),
        ("a:b@c", "a%3Ab%40c"),
        ("...", "..."), ("-._~", "-._~"), ("a%2Fb", "a%252Fb"),
    ])
    func `a value stays within its segment`(value: String, segment: String) async throws {
        #expect(try await address(.delete("/notes/\(value)/x")) == "https://a.test/v1/notes/\(segment)/x")
        #expect(try await address(Endpoint(path: "/notes/\(value)")) == "https://a.test/v1/notes/\(segment)")
        let provider = NetworkProvider<Notes>(mock)
        _ = try await provider.send(.note(value))
        #expect(mock.requests.last?.url.absoluteString == "http://api.test/v1/notes/\(segment)")
        let erased = AnyTarget(baseURL: API.base, path: "/notes/\(value)")
        #expect(erased.path == "/notes/\(segment)" && AnyTarget(Notes.note(value)).path == erased.path)
    }

    @Test(arguments: ["", ".", ".."])
    func `a value that is empty or dots is refused before anything is sent`(value: String) async {
        let endpoints: [Endpoint] = [
            .delete("/notes/\(value)"), .get("/notes/\(value)/x"), Endpoint(path: "\(value)"),
            .get("/files/\(path: value)"), .get("/files/\(path: "a/\(value)/b")"),
            .post("/notes/\(value)").form(["a": "b"]), .get("/notes/\(value)?a=b"),
        ]
        for endpoint in endpoints { #expect(await refusal(endpoint)?.kind == .invalidRequest, "\(endpoint)") }
        await #expect(throws: NetworkError.self) { try await NetworkProvider<Notes>(mock).send(.note(value)) }
        await #expect(throws: NetworkError.self) {
            try await NetworkProvider<AnyTarget>(mock).send(AnyTarget(Notes.file(value)))
        }
        #expect(mock.requests.isEmpty)
        let error = await refusal(.delete("/notes/\(value)"))
        #expect(error?.reason.contains("a value in the path is") == true)
    }

    @Test(arguments: [
        "..", ".", "/..", "/a/../b", "/a/./b", "/a/..", "/%2e%2e/x", "/.%2E/x", "/%2e./x", "/%2E", "/a/..;x=1/b",
        "/a/..\\b", "/a\\..\\b", "/..%2Fx", "/a%2f..%2fb", "/a%5C..", "/a#/../b", "/..?x=1", "https://b.test/a/../b",
        "https://b.test/%2e%2e", "HTTPS://b.test/..", "/a//../b", "/../users/victim",
    ])
    func `the text of a variable with a dot segment is refused before anything is sent`(path: String) async throws {
        for endpoint in [Endpoint.get(path), Endpoint(path: path), .get("\(raw: path)")] {
            let error = await refusal(endpoint)
            #expect(error?.kind == .invalidRequest && error?.reason.contains("segment '.' or '..'") == true)
        }
        await #expect(throws: NetworkError.self) { try await NetworkProvider<API>(mock).send(.at(path)) }
        #expect(mock.requests.isEmpty)
        await #expect(throws: NetworkError.self) { try await NetworkProvider<Texts>(mock).send(.note("../\(path)")) }
    }

    @Test(arguments: [
        "/a/.../b", "/.well-known/x", "/a..b", "/a/..b", "/a.", "/a?x=/../b", "/%252e", "/a;..", "/v1.2/x.json",
        "/a%2Fb",
        "/.a", "/;x", "/..%CC%81",
    ])
    func `dots elsewhere are no dot segments`(path: String) async throws {
        #expect(try await address(.get(path)) == "https://a.test/v1" + path)
    }

    @Test func `a base with dot segments is resolved as before`() async throws {
        #expect(try await address(.get("/x"), base: "https://a.test/a/../b") == "https://a.test/b/x")
    }

    @Test func `values of several segments, of escaped text and of paths have their own spelling`() async throws {
        #expect(try await address(.get("/f/\(path: "docs/a b/c?d")")) == "https://a.test/v1/f/docs/a%20b/c%3Fd")
        #expect(try await address(.get("/f/\(raw: "a%2Fb/c?d=e")")) == "https://a.test/v1/f/a%2Fb/c?d=e")
        let user: EndpointPath = "/users/\("a/b")"
        #expect(try await address(.get("\(user)/notes")) == "https://a.test/v1/users/a%2Fb/notes")
        #expect(("\(user)/notes" as EndpointPath).template == "/users/{}/notes")
        let empty: EndpointPath = "/users/\("")"
        #expect(await HTTPClient(mock).refuses(.get("\(empty)/notes")))
        #expect(await HTTPClient(mock).refuses(.get("/.\(raw: "./x")")))
        #expect(await HTTPClient(mock).refuses(.get("/%2\("e")")))
    }

    @Test func `values of other types have one text each`() async throws {
        enum Kind: String { case daily = "day/ly" }
        enum Size: Int, CustomStringConvertible {
            case large = 3
            var description: String { "a large one" }
        }
        struct UserID: RawRepresentable { var rawValue: UUID }
        struct Version: RawRepresentable, LosslessStringConvertible {
            var rawValue = "1.2"
            var description: String { "Version \(rawValue)" }
            init(rawValue: String) { self.rawValue = rawValue }
            init(_ description: String) { rawValue = description }
        }
        let (missing, id): (Int?, UUID) = (nil, UUID())
        #expect(try await address(.get("/\(Kind.daily)/\(true)/\(1.5)")) == "https://a.test/v1/day%2Fly/true/1.5")
        #expect(Endpoint.get("/\(id)/\(UserID(rawValue: id))").path == "/\(id)/\(id)")
        #expect(Endpoint.get("/\(Size.large)/\(Version("2"))/\("é".first ?? "e")").path == "/3/2/%C3%A9")
        #expect(Endpoint.get("/\(UInt8(3))/\(Int64.min)/\("abc".dropLast())").path == "/3/-9223372036854775808/ab")
        #expect(Endpoint.get("/users/\(missing, default: "m/e")/\(UUID?.none, default: "x")").path == "/users/m%2Fe/x")
    }

    @Test func `a value in a query is escaped, and can be empty`() async throws {
        #expect(
            try await address(.get("/s?q=\("a&b=c")&r=\("")&t=\("..")")) == "https://a.test/v1/s?q=a%26b%3Dc&r=&t=..")
    }

    @Test func `a literal without values and the text of a variable stay as they are`() async throws {
        #expect(try await address(.get("/a b/%41?x=1")) == "https://a.test/v1/a%20b/%41?x=1")
        let text = "/users/" + "a/b?c=d"
        #expect(try await address(.get(text)) == "https://a.test/v1/users/a/b?c=d")
        var endpoint = Endpoint.get("/users/\("")")
        endpoint.path = text
        #expect(try await address(endpoint) == "https://a.test/v1/users/a/b?c=d" && endpoint.template == nil)
    }

    @Test func `the literal parts are the template`() {
        let id = UUID()
        #expect(("/users/\(7)/notes/\(id)?a=\(1)" as EndpointPath).template == "/users/{}/notes/{}")
        #expect(("/users" as EndpointPath).template == "/users" && ("" as EndpointPath).template == nil)
        #expect(("https://b.test/users/\(7)" as EndpointPath).template == "/users/{}")
        let text = ["/users", "7"].joined(separator: "/")
        #expect(EndpointPath(text).template == nil && EndpointPath(text) == "/users/\(7)")
        var endpoint = Endpoint.get("/users/\(7)")
        #expect(endpoint.template == "/users/{}")
        endpoint.template = "/users/{id}"
        #expect(endpoint.template == "/users/{id}")
        #expect(Notes.note("7").template == "/notes/{}" && AnyTarget(Notes.note("7")).template == "/notes/{}")
        #expect(Notes.all.template == "/notes" && Texts.note("7").template == nil)
    }

    @Test func `observers get the template of a path`() async throws {
        let metrics = MetricsRecorder()
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.observers) = (mock, [metrics])
        let client = HTTPClient(baseURL: API.base, configuration: configuration)
        try await client.send(.get("/users/\(7)"))
        _ = try await NetworkProvider<Notes>(configuration: configuration).send(.note("7"))
        let text = metrics.prometheusText()
        #expect(text.contains(#"url_template="/users/{}""#) && text.contains(#"url_template="/notes/{}""#))
    }

    @Test func `a choice of literals is a path`() async throws {
        let isUser = mock.requests.isEmpty
        #expect(Endpoint.get(isUser ? "/users/\("a/b")" : "/users").path == "/users/a%2Fb")
        let fields: HTTPHeaders = ["A": "1"]
        #expect(Endpoint.get("/users/\("a/b")", headers: isUser ? [:] : fields).path == "/users/a%2Fb")
        #expect(Endpoint(path: "/\("a/b")", queryItems: isUser ? [] : nil).body(Data()).path == "/a%2Fb")
        #expect(Endpoint.get("/\("a/b")").timeout(.seconds(isUser ? 1 : 2)).path == "/a%2Fb")
    }
}

extension HTTPClient {
    fileprivate func refuses(_ endpoint: Endpoint) async -> Bool {
        do {
            try await send(endpoint)
            return false
        } catch { return error.kind == .invalidRequest }
    }
}
