import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct CassettePlaybackTests {
    /// Records the answers to these endpoints.
    private func record(_ studio: borrowing Studio, _ answers: [MockAnswer], _ endpoints: [Endpoint]) async throws {
        let mock = MockTransport()
        mock.on().answers(answers)
        let client = Studio.client(try studio.cassette(.all), mock)
        for endpoint in endpoints { _ = await Studio.hear(client, endpoint) }
    }

    @Test func `a response is played with status, headers and bytes`() async throws {
        let studio = try Studio()
        let bytes = Data([0, 255, 1, 254])
        let answer = MockAnswer.data(bytes, status: 201, headers: ["X-One": "1", "Content-Type": "image/x"])
        try await record(studio, [answer], [.post("/a").body(Data([255]))])
        let response = try await Studio.client(try studio.cassette(.none)).send(.post("/a"))
        #expect(response.statusCode == 201 && response.data == bytes)
        #expect(response.headers == ["X-One": "1", "Content-Type": "image/x"])
    }

    @Test func `the fields after a body are recorded and played, also of a stream`() async throws {
        let studio = try Studio()
        let answer = MockAnswer.text("hello").trailers(["X-Sum": "5", "Date": "today"])
        let recording = Studio.client(try studio.cassette(.all), MockTransport(answer, .text("none")))
        for try await _ in try await recording.stream(.get("/a")) {}
        try await recording.send(.get("/b"))
        let player = Studio.client(try studio.cassette { $0.allowsRepeats = true })
        #expect(try await player.send(.get("/a")).trailers == ["X-Sum": "5"])
        #expect(try await player.send(.get("/b")).trailers == nil)
        let stream = try await player.stream(.get("/a"))
        for try await _ in stream {}
        #expect(stream.trailers == ["X-Sum": "5"])
    }

    @Test func `the same request gets the recorded responses in order, each once`() async throws {
        let studio = try Studio()
        try await record(studio, [.status(200, body: "a"), .status(200, body: "b")], [.get("/"), .get("/")])
        let client = Studio.client(try studio.cassette())
        var heard: [String?] = []
        for _ in 1...3 { heard.append(try? await Studio.hear(client).get()) }
        #expect(heard == ["a", "b", nil])
        #expect(await Studio.hear(client).error?.reason.contains("was used already") == true)
        let repeating = Studio.client(try studio.cassette { $0.allowsRepeats = true })
        heard = []
        for _ in 1...3 { heard.append(try? await Studio.hear(repeating).get()) }
        #expect(heard == ["a", "b", "b"])
    }

    @Test(arguments: [
        TransportFailure.dns, .connect, .lostBeforeResponse, .lostMidBody, .timeout(.response), .timeout(.attempt),
        .tlsCertificate(.expired), .protocolViolation, .offline,
    ])
    func `a failure is played as it was recorded`(failure: TransportFailure) async throws {
        let studio = try Studio()
        try await record(studio, [.failure(failure, reason: "it broke")], [.get("/")])
        let error = await Studio.hear(Studio.client(try studio.cassette(.none))).error
        #expect(error?.transportFailure == failure && error?.kind == failure.kind && error?.reason == "it broke")
    }

    @Test func `an interceptor records timeouts, which a transport does not see`() async throws {
        let studio = try Studio()
        let clock = TestClock()
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(.hang)
        (configuration.clock, configuration.timeout) = (clock, .seconds(5))
        let base = try #require(URL(string: "https://api.test"))
        let interceptor = try studio.cassette().interceptor
        let client = HTTPClient(baseURL: base, interceptors: [interceptor], configuration: configuration)
        let call = Task { await Studio.hear(client) }
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        #expect(await call.value.error?.transportFailure == .timeout(.attempt))
        let error = await Studio.hear(Studio.client(try studio.cassette(.none))).error
        #expect(error?.transportFailure == .timeout(.attempt))
    }

    @Test func `exchanges, redirects and truncated bodies of a server are played as recorded`() async throws {
        let studio = try Studio()
        let server = try LoopbackServer()
        server.enqueue(
            .status(302, headers: ["Location": "/b"]), .json(#"{"a": "é"}"#),
            .text("hello").fault(.reset, at: .responseBody(afterBytes: 2)))
        var heard: [Result<String, NetworkError>] = []
        for mode in [CassetteMode.once, .none] {
            var configuration = NetworkConfiguration()
            let session = URLSessionTransport(configuration: .ephemeral)
            configuration.transport = try studio.cassette(mode).transport(over: session)
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            for path in ["/a", "/c"] { heard.append(await Studio.hear(client, .get(path))) }
        }
        #expect(try heard[0].get() == #"{"a": "é"}"# && heard[2].get() == heard[0].get())
        #expect(heard[1].error != nil && heard[1].error?.transportFailure == heard[3].error?.transportFailure)
    }

    @Test func `a timeout behind URLSession is recorded as one`() async throws {
        let studio = try Studio()
        let server = try LoopbackServer { _ in .fault(.stall) }
        let clock = TestClock()
        var configuration = NetworkConfiguration()
        (configuration.clock, configuration.timeout) = (clock, .seconds(5))
        configuration.transport = try studio.cassette().transport(over: URLSessionTransport(configuration: .ephemeral))
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        let call = Task { await Studio.hear(client) }
        #expect(await clock.advanceToNextSleeper() == .seconds(5))
        #expect(await call.value.error?.kind == .timeout)
        #expect(try studio.text.contains("timeout.attempt"))
    }

    @Test func `a download is played into its file`() async throws {
        let studio = try Studio()
        try await record(studio, [.status(200, body: "saved")], [.get("/")])
        let cassette = try studio.cassette()
        let url = try #require(URL(string: "https://api.test/"))
        var configuration = NetworkConfiguration()
        configuration.transport = cassette.transport(over: MockTransport())
        let provider = NetworkProvider<AnyTarget>(configuration: configuration)
        let target = AnyTarget(
            baseURL: url, path: "/", method: .get, task: .downloadDestination(.temporary))
        let place = try await provider.download(target)
        defer { try? FileManager.default.removeItem(at: place) }
        #expect(try Data(contentsOf: place) == Data("saved".utf8))
    }

    @Test func `a body that can be read only once is recorded and still sent`() async throws {
        let studio = try Studio()
        let mock = MockTransport(.status(200))
        let stream = BodyStream(isReplayable: false) {
            AsyncThrowingStream {
                $0.yield(Data("once".utf8)); $0.finish()
            }
        }
        let url = try #require(URL(string: "https://api.test/"))
        let request = HTTPRequest(method: .post, url: url, body: .stream(stream))
        _ = try await studio.cassette().transport(over: mock).send(request, context: TransportContext())
        #expect(mock.requests.first?.body.data == Data("once".utf8))
        #expect(try studio.text.contains("once"))
    }

    @Test func `a canceled exchange is not recorded`() async throws {
        let studio = try Studio()
        let mock = MockTransport(.hang)
        let client = Studio.client(try studio.cassette(), mock)
        let call = Task { await Studio.hear(client) }
        while mock.requests.isEmpty { await Task.yield() }
        call.cancel()
        #expect(await call.value.error?.kind == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: studio.file.path))
    }

    @Test func `a hundred concurrent exchanges are recorded and played`() async throws {
        let studio = try Studio()
        for mode in [CassetteMode.once, .none] {
            let mock = MockTransport(.handler { .status(200, body: $0.url.path) }.repeating())
            let client = Studio.client(try studio.cassette(mode), mock)
            let texts = await withTaskGroup(of: String?.self) { group in
                for number in 0..<100 { group.addTask { try? await Studio.hear(client, .get("/\(number)")).get() } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(texts == Set((0..<100).map { "/\($0)" }))
        }
    }
}
