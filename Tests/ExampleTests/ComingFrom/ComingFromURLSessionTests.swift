import Dispatch
import Foundation
import NetworkEngine
import NetworkEngineObservation
import NetworkEngineStreams
import NetworkEngineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The right-hand sides of “Coming from URLSession”.
@Suite(.timeLimit(.minutes(5))) struct ComingFromURLSessionTests {
    @Test func `get and decode`() async throws {
        let mock = MockTransport(ada)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let user: User = try await client.request(.get("/users/7"))
        // end
        #expect(user.id == 7 && mock.requests.first?.url.absoluteString == "https://api.example.com/users/7")
    }

    @Test @MainActor func `by callback`() async throws {
        let client = makeClient(MockTransport(ada))
        let first = FirstResult<User>()
        let show = first.give
        // sample
        client.request(.get("/users/7"), as: User.self) { result in show(result) }
        // end
        #expect(try await first.value()?.id == 7)
    }

    @Test func `query items`() async throws {
        let mock = MockTransport(users)
        let client = makeClient(mock)
        // sample
        let found: [User] = try await client.request(.get("/users", query: ["q": "a+b"]))
        // end
        #expect(found.count == 1 && mock.requests.first?.url.query == "q=a%2Bb")
    }

    @Test func `a JSON body`() async throws {
        let mock = MockTransport(ada)
        let client = makeClient(mock)
        let draft = Draft(name: "Ada")
        // sample
        let made: User = try await client.request(.post("/users").json(draft))
        // end
        #expect(made.id == 7 && mock.requests.first?.headers["Content-Type"] == "application/json")
    }

    @Test func `a prepared request`() async throws {
        let client = makeClient(MockTransport(ada, ada))
        let request = URLRequest(url: api.appendingPathComponent("users/7"))
        // sample
        let user: User = try await client.request(request)
        let response = try await client.send(request)
        // end
        #expect(user.id == 7 && response.statusCode == 200)
    }

    @Test func `status and headers`() async throws {
        let client = makeClient(MockTransport(.status(201, headers: ["ETag": "x"])))
        var shown = ""
        func show(_ status: Int, _ tag: String?) { shown = "\(status) \(tag ?? "")" }
        // sample
        let response = try await client.send(.get("/users/7"))
        show(response.statusCode, response.headers["etag"])
        // end
        #expect(shown == "201 x")
    }

    @Test func `a response`() async throws {
        let client = makeClient(MockTransport(.status(201)))
        // sample
        let response = try await client.send(.get("/users/7"))
        let http = response.httpURLResponse
        // end
        #expect(http?.statusCode == 201)
    }

    @Test func `metrics`() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let client = HTTPClient(baseURL: server.url)
        var shown: Int64?
        func show(_ bytes: Int64?, _ time: Duration?) { shown = bytes }
        // sample
        let response = try await client.send(.get("/"))
        show(response.metrics?.bytesReceived, response.metrics?.total)
        // end
        #expect(shown == 5)
    }

    @Test func `errors`() async {
        let client = makeClient(MockTransport(.json(#"{"id": "seven"}"#)))
        var shown = ""
        func show(_ words: String) { shown = words }
        // sample
        do throws(NetworkError) {
            let _: User = try await client.request(.get("/users/7"))
        } catch {
            switch error.kind {
            case .cancelled: break
            case .timeout: show("too slow")
            case .status: show("refused: \(error.statusCode ?? 0)")
            default: show(error.reason)  // names the place, shows no body
            }
        }
        // end
        #expect(shown.contains("id"))
    }

    // sample
    enum FileAPI: TargetType {
        case raw(URL), form(URL), report(to: URL)

        var baseURL: URL { api }
        var path: String { "/files" }
        var method: HTTPMethod { if case .report = self { .get } else { .post } }
        var task: NetworkTask {
            switch self {
            case .raw(let file): .uploadFile(file)
            case .form(let file):
                .uploadMultipart([
                    MultipartFormData(provider: .data(Data("Ada".utf8)), name: "name"),
                    MultipartFormData(provider: .file(file), name: "photo"),
                ])
            case .report(let file): .downloadDestination(.file(at: file, options: [.replace]))
            }
        }
    }
    // end

    @Test func `files up`() async throws {
        let mock = MockTransport(.json("1"), .json("2"))
        let provider: NetworkProvider<FileAPI> = makeProvider(mock)
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", "bytes")
        // sample
        let one: Int = try await provider.upload(.raw(file))
        let two: Int = try await provider.upload(.form(file), progress: { print($0.completed, $0.total ?? 0) })
        // end
        #expect(one + two == 3 && mock.requests.count == 2)
    }

    @Test func `files down`() async throws {
        let provider: NetworkProvider<FileAPI> = makeProvider(MockTransport(.status(200, body: "%PDF")))
        let folder = try TemporaryFolder()
        let file = try folder.file("report.pdf", "old")
        // sample
        let place = try await provider.download(.report(to: file))
        // end
        #expect(place == file)
        #expect(try Data(contentsOf: file) == Data("%PDF".utf8))
    }

    @Test func `bytes as they come`() async throws {
        let events = MockAnswer.status(200, headers: ["Content-Type": "text/event-stream"], body: "data: hello\n\n")
        let client = makeClient(MockTransport(.status(200, body: "a\nb"), events))
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // sample
        for try await line in try await client.stream(.get("/log")).lines() { show(line) }
        for try await event in client.events(.get("/news")) {  // server-sent events, with reconnection
            show(event.data)
            break
        }
        // end
        #expect(shown == ["a", "b", "hello"])
    }

    @Test func `canceling`() async {
        let client = makeClient(MockTransport(.hang))
        // sample
        let handle = client.start(.get("/users/7"), as: User.self)
        handle.cancel()
        // end
        let error = await #expect(throws: NetworkError.self) { try await handle.value }
        #expect(error?.kind == .cancelled)
    }

    @Test func `times`() async {
        let clock = TestClock()
        // sample
        var configuration = NetworkConfiguration()
        configuration.timeout = .seconds(10)  // without any byte in either direction
        configuration.deadline = .seconds(30)  // the whole call, with retries and pauses
        // end
        (configuration.transport, configuration.clock) = (MockTransport(.hang), clock)
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let call = Task { try await client.send(.get("/slow")) }
        await clock.advanceToNextSleeper()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.kind == .timeout)
    }

    @Test func `trying again`() async throws {
        let mock = MockTransport(.status(503, headers: ["Retry-After": "0"]), ada)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        // sample
        let client = HTTPClient(baseURL: api, interceptors: [RetryPolicy()], configuration: configuration)
        // end
        let user: User = try await client.request(.get("/users/7"))
        #expect(user.id == 7 && mock.requests.count == 2)
    }

    @Test func `redirects`() async throws {
        // sample
        var configuration = NetworkConfiguration()
        configuration.redirects = .never
        // end
        configuration.transport = MockTransport(.status(302, headers: ["Location": "/new"]))
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/old")) }
        #expect(error?.statusCode == 302)
    }

    @Test func `trust`() {
        // sample
        var tls = TLSPolicy()
        tls.authorities = .file(URL(fileURLWithPath: "/etc/company/authorities.pem"))
        let transport = URLSessionTransport(tls: tls)  // on Linux: CurlTransport
        // end
        #expect((transport as any Transport) is URLSessionTransport && tls.clientCertificate == nil)
    }

    @Test func `waiting for a network`() async throws {
        let network = ScriptedReachability(.online)
        let mock = MockTransport(ada)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let reachability = Reachability(network)
        // sample
        let policy = OfflinePolicy(.waitForConnection(max: .seconds(60)), reachability: reachability)
        let client = HTTPClient(baseURL: api, interceptors: [policy], configuration: configuration)
        // end
        let user: User = try await client.request(.get("/users/7"))
        #expect(user.id == 7)
    }

    @Test func `tests`() async throws {
        // sample
        let mock = MockTransport(.json(#"{"id": 7, "name": "Ada"}"#), .failure(.lostBeforeResponse))
        // end
        let client = makeClient(mock)
        let user: User = try await client.request(.get("/users/7"))
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/users/7")) }
        #expect(user.id == 7 && error?.transportFailure == .lostBeforeResponse)
    }

    @Test func `a command`() throws {
        // sample
        let request = try HTTPRequest(curl: "curl -X POST https://api.example.com/users -H 'Accept: */*' -d name=Ada")
        // end
        #expect(request.method == .post && request.headers["Accept"] == "*/*")
    }
}
