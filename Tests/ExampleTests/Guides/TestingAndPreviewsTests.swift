import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineStreams
import NetworkEngineTesting
import NetworkEngineUploads
import TestSupport
import Testing

/// The samples of “Testing and previews”.
@Suite(.timeLimit(.minutes(5))) struct TestingAndPreviewsTests {
    private func configuration(_ transport: any Transport) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return configuration
    }

    @Test func `there are three levels`() async throws {
        // sample
        let client: any HTTPClientContract = HTTPClientMock(.value([User(id: 7, name: "Ada")]))

        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.json(#"[{"id": 7, "name": "Ada"}]"#))
        let real = HTTPClient(baseURL: api, configuration: configuration)
        // end
        let (first, second): ([User], [User]) = try await (client.request(.get("/users")), real.request(.get("/users")))
        // sample
        let server = try LoopbackServer { _ in .json(#"[{"id": 7, "name": "Ada"}]"#) }
        let wired = HTTPClient(baseURL: server.url)
        // end
        let third: [User] = try await wired.request(.get("/users"))
        #expect(first == second && second == third)
    }

    @Test func `the answer of a mock changes`() async throws {
        // sample
        let mock = HTTPClientMock(.failure(.offline))
        await #expect(throws: NetworkError.self) { let _: User = try await mock.request(.get("/me")) }
        mock.answer = .value(User(id: 7, name: "Ada"))
        let me: User = try await mock.request(.get("/me"))
        #expect(me.name == "Ada" && mock.endpoints == [.get("/me"), .get("/me")])
        // end
    }

    // sample
    enum PeopleMock: MockRequestable {
        case people

        var mock: MockResponder<NetworkError> {
            MockResponder(fixture: "Contacts", in: .bundle(.module), delay: .milliseconds(1))
        }
    }
    // end

    @Test func `a mock target answers from a fixture`() async throws {
        nonisolated struct Page: Decodable, Sendable { var contacts: [User] }
        let page = try await PeopleMock.people.request(type: Page.self)
        #expect(!page.contacts.isEmpty)
    }

    @Test func `a request that is answered by hand is canceled`() async {
        // sample
        let requests: [any NetworkRequest] = [MockNetworkRequest(), MockNetworkRequest()]
        requests.cancel()
        #expect(requests.allSatisfy { $0.isCancelled })
        // end
    }

    @Test func `retries are tested without waiting`() async throws {
        // sample
        let (mock, clock) = (MockTransport(.status(503), .json(#"{"id": 7, "name": "Ada"}"#)), TestClock())
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (mock, clock)
        let client = HTTPClient(baseURL: api, interceptors: [RetryPolicy()], configuration: configuration)
        let call = Task { try await client.request(.get("/me")) as User }
        _ = await clock.advanceToNextSleeper(within: .seconds(10))
        #expect(try await call.value.name == "Ada" && mock.requests.count == 2)
        // end
    }

    // sample
    @Test func `a loop of events connects again after a pause`() async throws {
        let events = MockAnswer.data(Data("data: news\n\n".utf8), type: "text/event-stream")
        let (mock, clock) = (MockTransport(events, events, .status(204)), TestClock())  // a 204 ends the loop
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.clock) = (mock, clock)
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let loop = Task {
            var texts: [String] = []
            for try await event in client.events(.get("/news")) { texts.append(event.data) }
            return texts
        }
        for _ in 1...2 { #expect(await clock.advanceToNextSleeper(within: .seconds(10)) == .seconds(3)) }
        #expect(try await loop.value == ["news", "news"])
    }
    // end

    @Test func `a call waits for the network of a script`() async throws {
        // sample
        let network = ScriptedReachability(.offline)
        let mock = MockTransport(.failure(.offline), .json(#"{"id": 7, "name": "Ada"}"#))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let interceptors: [any RequestInterceptor] = .recommended(
            offline: .waitForConnection(max: .seconds(60)), reachability: Reachability(network))
        let client = HTTPClient(baseURL: api, interceptors: interceptors, configuration: configuration)
        let call = Task { try await client.request(.get("/me")) as User }
        while mock.requests.isEmpty { await Task.yield() }
        network.set(.online)
        #expect(try await call.value.name == "Ada" && mock.requests.count == 2)
        // end
    }

    private typealias API = AuthenticationTests.API

    // sample
    @Test func `ten calls with an old token share one refresh`() async throws {
        let server = MockTransport()
        let refresh = server.on(.post, "/token").answers(
            .json(#"{"access": "new", "refresh": "r2", "expiresIn": 3600}"#).repeating())
        server.on(.get, "/profile", headers: ["Authorization": "Bearer new"]).answers(
            .json(#"{"id": 7, "name": "Ada"}"#).repeating())
        server.on(.get, "/profile").answers(.status(401).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = server
        let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r1"))
        let api = API(store: store, configuration: configuration)

        try await withThrowingTaskGroup(of: User.self) { calls in
            for _ in 1...10 { calls.addTask { try await api.accounts.request(.profile) } }
            for try await user in calls { #expect(user.name == "Ada") }
        }
        #expect(refresh.requests.count == 1 && store.current?.accessToken == "new")
    }
    // end

    @Test func `calls with an expired token wait for the refresh, and the server can end the session`() async throws {
        let tokens = #"{"access": "new", "refresh": "r2", "expiresIn": 3600}"#
        for answer in [MockAnswer.json(tokens), .json(#"{"error": "invalid_grant"}"#, status: 400)] {
            let mock = MockTransport(answer, ada)
            let store = InMemoryCredentialStore(BearerToken("old", expiresIn: .zero, refreshToken: "r1"))
            let api = API(store: store, configuration: configuration(mock))
            let user: User? = try? await api.accounts.request(.profile)
            #expect(mock.requests.map(\.url.path) == (user == nil ? ["/token"] : ["/token", "/profile"]))
            #expect((store.current == nil) == (user == nil))
        }
    }

    @Test func `a recording answers later`() async throws {
        let place = try TemporaryFolder()
        let file = place.url.appendingPathComponent("users.har")
        defer { withExtendedLifetime(place) {} }
        let server = try LoopbackServer { _ in .json(#"{"id": 7, "name": "Ada"}"#) }
        for _ in 1...2 {
            var configuration = NetworkConfiguration()
            // sample
            let cassette = try Cassette(file: file)  // records if the file is missing
            configuration.transport = cassette.transport()
            // end
            let user: User = try await HTTPClient(baseURL: server.url, configuration: configuration)
                .request(.get("/users/7"))
            #expect(user.name == "Ada")
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a server misbehaves on request`() async throws {
        // sample
        let server = try LoopbackServer()
        server.enqueue(.fault(.reset), .text("half").fault(.close, at: .responseBody(afterBytes: 2)), .text("ok"))
        let client = HTTPClient(baseURL: server.url, interceptors: [RetryPolicy()])
        let response = try await client.send(.get("/"))
        #expect(response.data == Data("ok".utf8) && server.requests.count == 3)
        // end
    }

    @Test func `a closure answers both ways`() async throws {
        // sample
        let mock = MockTransport(
            .duplex { exchange in
                for try await question in exchange.received { try await exchange.send(question + Data("!".utf8)) }
                try await exchange.finish(trailers: ["X-Checksum": "7"])
            })
        // end
        let (body, writer) = BodyStream.makeStream()
        let answers = try await makeClient(mock).stream(.post("/chat"), sending: body)
        var pieces = answers.makeAsyncIterator()
        for text in ["a", "b"] {
            try await writer.write(Data(text.utf8))
            #expect(try await pieces.next() == Data("\(text)!".utf8))
        }
        writer.finish()
        #expect(try await pieces.next() == nil && answers.trailers?["X-Checksum"] == "7")
    }

    @Test func `uploads resume with a server and with a mock`() async throws {
        let place = try TemporaryFolder()
        let folder = place.url
        defer { withExtendedLifetime(place) {} }
        // sample
        let uploads = LoopbackUploads(.tus, folder: folder)
        let server = try LoopbackServer(early: uploads.response) { _ in .status(404) }
        let mock = MockTransport(uploads.answer)
        // end
        let (file, state) = (try place.file("film.mov", "a film"), folder.appendingPathComponent("film.upload"))
        for client in [HTTPClient(baseURL: server.url), makeClient(mock)] {
            try await client.upload(.post("/files").file(file), resuming: .file(at: state))
        }
        #expect(uploads.all.map(\.isComplete) == [true, true])
    }

    @Test func `faults are random and the same for the same seed`() async throws {
        // sample
        var chaos = ChaosInterceptor(seed: 7)
        chaos.faults = [.failing(.lostBeforeResponse, probability: 0.3), .answering(503, probability: 0.2)]
        let interceptors: [any RequestInterceptor] = [RetryPolicy(), chaos]
        // end
        var outcomes: [[Bool]] = []
        for _ in 1...2 {
            let mock = MockTransport(MockAnswer.status(204).repeating())
            let client = HTTPClient(baseURL: api, interceptors: [chaos], configuration: configuration(mock))
            var outcome: [Bool] = []
            for _ in 1...10 { outcome.append((try? await client.send(.get("/"))) != nil) }
            outcomes.append(outcome)
        }
        #expect(interceptors.count == 2 && outcomes[0].contains(false))
    }

    @Test func `a refresh closure is tested by itself`() async throws {
        // sample
        let context = RefreshContext { request in
            HTTPResponse(statusCode: 200, body: .data(Data("new".utf8)), request: request)
        }
        let response = try await context.send(HTTPRequest(method: .post, url: api))
        #expect(response.data == Data("new".utf8))
        // end
    }
}

extension Bundle {
    /// The bundle with the article's fixture.
    fileprivate nonisolated static var module: Bundle { Fixtures.bundle }
}
