import Foundation
import NetworkEngine
import NetworkEngineInterop
import NetworkEngineStreams
import NetworkEngineTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the README's samples and compares them with its text.
@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    @Test func `a client needs no enum`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 7, "name": "Ada"}"#) }
        let (api, session, draft) = (server.url, Session(), Draft(name: "Ada"))
        // sample
        let client = HTTPClient(baseURL: api, interceptors: [TokenSource { await session.token }])
        let user: User = try await client.request(.get("/users/7"))
        let made: User = try await client.request(.post("/users").json(draft))
        // end
        #expect(user == made && server.requests.map { $0.headers["Authorization"] } == ["Bearer t", "Bearer t"])
    }

    @Test func `a hundred calls with an expired token share one refresh`() async throws {
        let server = try LoopbackServer { request in
            if request.path == "/token" { return .json(#"{"accessToken": "new", "refreshToken": "s"}"#) }
            let isNew = request.headers["Authorization"] == "Bearer new"
            return isNew ? .json(#"{"id": 7, "name": "Ada"}"#) : .status(401)
        }
        let (api, store) = (server.url, InMemoryCredentialStore(BearerToken("old", refreshToken: "r")))
        try await AuthAPI.$base.withValue(api) {
            // sample
            let refresher = TokenRefresher(store: store) { old, context in
                let answer: TokenAnswer = try await context.request(AuthAPI.refresh(old.refreshToken))
                return BearerToken(answer.accessToken, refreshToken: answer.refreshToken)
            }
            let client = HTTPClient(baseURL: api, interceptors: [refresher])
            let users = try await withThrowingTaskGroup(of: User.self) { group in
                for id in 1...100 { group.addTask { try await client.request(.get("/users/\(id)")) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // end
            #expect(users.count == 100)
        }
        let tokens = server.requests.map { $0.headers["Authorization"] }
        #expect((1...100).contains(tokens.count { $0 == "Bearer old" }))
        #expect(tokens.count { $0 == nil } == 1 && tokens.count { $0 == "Bearer new" } == 100)
    }

    // sample
    enum UserAPI: TargetType {
        case list(page: Int)
        case user(Int)

        var baseURL: URL { URL(string: "https://api.example.com/v1")! }

        var path: EndpointPath {
            switch self {
            case .list: "/users"
            case .user(let id): "/users/\(id)"
            }
        }

        var task: NetworkTask {
            switch self {
            case .list(let page): .requestParameters(parameters: ["page": page], encoding: .query)
            case .user: .requestPlain
            }
        }
    }

    func load() async throws(NetworkError) -> User { try await NetworkProvider<UserAPI>().request(.user(7)) }
    // end

    @Test func `a session of another library runs over a client`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = HTTPClient(baseURL: server.url, interceptors: [TokenSource { "t" }])
        // sample
        let session = URLSession(configuration: .default.routed(through: client))
        // end
        let (data, _) = try await client.data(for: URLRequest(url: server.url))
        let routed: Data? = await withCheckedContinuation { waiter in
            session.dataTask(with: server.url) { data, _, _ in waiter.resume(returning: data) }.resume()
        }
        #expect(data == Data("ok".utf8) && routed == data)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer t", "Bearer t"])
    }

    @Test @MainActor func `a provider runs a target`() async throws {
        let mock = MockTransport(ada, .status(204), .json("bytes"), ada, ada)
        let provider: NetworkProvider<PageAPI> = makeProvider(mock)
        let first = FirstResult<User>()
        let show = first.give
        // sample
        let user: User = try await provider.request(.user(7))  // decoded
        let nobody: User? = try await provider.request(.user(0))  // nil for a 204
        let bytes = try await provider.data(.avatar(7))  // also string, send, upload, download
        let handle = provider.start(.user(7), as: User.self)  // value, progress, cancel()
        provider.request(.user(7), as: User.self) { result in show(result) }  // on the main actor, or on a queue
        // end
        #expect(try await handle.value == user && nobody == nil && bytes == Data("bytes".utf8))
        #expect(try await first.value() == user)
    }

    @Test func `an app lists its interceptors`() async throws {
        let refresher = TokenSource { "t" }
        // sample
        let provider = NetworkProvider<UserAPI>(interceptors: .recommended(credential: refresher))
        // end
        try provider.validate()
    }

    @Test func `a stream is read while it arrives`() async throws {
        let news = MockAnswer.status(
            200, headers: ["Content-Type": "text/event-stream"], body: "retry: 1\ndata: c\n\n")
        let mock = MockTransport(.status(200, body: "a\nb"), news, .status(204))
        let provider: NetworkProvider<PageAPI> = makeProvider(mock)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // sample
        for try await line in try await provider.stream(.log).lines() { show(line) }  // or chunks, or jsonLines(as:)
        for try await event in provider.events(.news) { show(event.data) }  // server-sent events
        // end
        #expect(shown == ["a", "b", "c"])
    }

    // sample
    @Test func `a missing user is shown as missing`() async throws {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.status(404))
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider<UserAPI>(configuration: configuration).request(.user(7))
        }
        #expect(error?.statusName == .notFound)
    }
    // end

    private nonisolated static let pages = [
        "README.md", ".github/AGENTS.md", ".github/CHANGELOG.md", ".github/CODE_OF_CONDUCT.md",
        ".github/CONTRIBUTING.md", ".github/SECURITY.md",
    ]

    @Test(arguments: pages)
    func `each link to a file leads to one`(name: String) throws {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../\(name)").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let links = text.matches(of: #/\]\(([^)#:]+)\)|\]: (\S+)/#).compactMap { $0.output.1 ?? $0.output.2 }
        let folder = page.deletingLastPathComponent()
        let broken = links.filter {
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent(String($0)).path)
        }
        #expect(broken == [])
        #expect(name != "README.md" || links.count > 15)
    }

    @Test func `the README shows the samples that are run, and no others`() throws {
        let here = URL(fileURLWithPath: #filePath)
        let readme = here.appendingPathComponent("../../../README.md").standardized
        let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        let shown = blocks.filter { $0.hasPrefix("swift\n") }
            .map { $0.dropFirst("swift\n".count).dropLast().split(separator: "\n").map(\.withCommentsMovedUp) }
        let run = try String(contentsOf: here, encoding: .utf8).markedSamples
        #expect(shown == run.map { $0.split(separator: "\n").map(\.withCommentsMovedUp) })
    }
}

/// The declarations that the samples use.
private enum PageAPI: TargetType {
    case user(Int), avatar(Int), log, news

    var baseURL: URL { api }
    var path: String { "/page" }
}

private enum AuthAPI: TargetType {
    case refresh(String?)

    @TaskLocal static var base = api
    var baseURL: URL { Self.base }
    var path: String { "/token" }
    var method: HTTPMethod { .post }
}

private nonisolated struct TokenAnswer: Decodable, Sendable {
    var accessToken: String
    var refreshToken: String?
}

private actor Session { private(set) var token = "t" }

extension Substring {
    /// The line with a single space before its trailing comment.
    fileprivate var withCommentsMovedUp: String {
        guard let comment = range(of: "  //") else { return String(self) }
        let code = self[..<comment.lowerBound].trimmingCharacters(in: .whitespaces)
        return code + self[comment.lowerBound...].drop { $0 == " " }
    }
}
