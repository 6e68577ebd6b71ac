import Foundation
import NetworkEngine
import NetworkEngineObservation
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Observing calls”.
@Suite(.timeLimit(.minutes(5))) struct ObservingTests {
    /// Collects the output of the samples.
    private nonisolated struct Screen: Sendable {
        private let texts = Locked<[String]>([])

        var shown: [String] { texts.withLock { $0 } }

        func show(_ text: String) { texts.withLock { $0.append(text) } }
        func info(_ text: String) { show(text) }
        func error(_ text: String) { show("error: \(text)") }
    }

    private func configuration(_ answer: MockAnswer = users) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = MockTransport(answer.repeating())
        return configuration
    }

    /// Waits until an observer has shown a number of texts.
    private func texts(of screen: Screen, atLeast count: Int) async -> [String] {
        while screen.shown.count < count, !Task.isCancelled { await Task.yield() }
        return screen.shown
    }

    @Test func `a logger is an observer`() {
        var configuration = configuration()
        // sample
        configuration.observers = [RequestLogger()]
        // end
        #expect(configuration.observers.count == 1)
    }

    @Test func `another logger takes the lines`() async throws {
        var configuration = configuration()
        let logger = Screen()
        // sample
        configuration.observers = [RequestLogger(level: .line) { line in logger.info(line) }]
        // end
        try await HTTPClient(baseURL: api, configuration: configuration).send(.get("/users"))
        #expect(await texts(of: logger, atLeast: 1).first?.contains("/users") == true)
    }

    @Test func `a failure is logged as an error`() async throws {
        var configuration = configuration(.status(500))
        let logger = Screen()
        // sample
        let requests = RequestLogger.passingEntries(level: .line) { entry in
            if entry.outcome == .failed { logger.error(entry.text) } else { logger.info(entry.text) }
        }
        // end
        configuration.observers = [requests]
        await #expect(throws: NetworkError.self) {
            try await HTTPClient(baseURL: api, configuration: configuration).send(.get("/users"))
        }
        #expect(await texts(of: logger, atLeast: 1).first?.hasPrefix("error: #") == true)
    }

    @Test func `files are written`() async throws {
        let place = try TemporaryFolder()
        let folder = place.url
        defer { withExtendedLifetime(place) {} }
        var configuration = configuration()
        // sample
        let (har, timeline) = (HARRecorder(), TimelineReport())
        configuration.observers = [har, timeline]
        // end
        let client = HTTPClient(baseURL: api, configuration: configuration)
        try await client.send(.get("/users"))
        // sample
        try har.write(to: folder.appendingPathComponent("session.har"))
        try timeline.write(to: folder.appendingPathComponent("timeline.html"))
        // end
        for name in ["session.har", "timeline.html"] {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            #expect(text.contains("/users"))
        }
        var shown = ""
        func show(_ text: String) { shown = text }
        // sample
        let response = try await client.send(.get("/users"))
        show(response.request.curlCommand())
        // end
        #expect(shown.hasPrefix("curl") && shown.contains("/users"))
    }

    @Test func `calls are measured`() async throws {
        var configuration = configuration()
        var shown = ""
        func show(_ text: String) { shown = text }
        // sample
        let metrics = MetricsRecorder()
        configuration.observers = [metrics]
        // end
        try await HTTPClient(baseURL: api, configuration: configuration).send(.get("/users"))
        // sample
        show(metrics.prometheusText())
        // end
        #expect(shown.contains("http_client_request_duration_seconds"))
    }

    @Test func `requests are traced`() async throws {
        var configuration = configuration()
        let server = try LoopbackServer { _ in .json("{}") }
        let collector = server.url.appendingPathComponent("v1/traces")
        // sample
        let exporter = OTLPExporter(sendingTo: collector, resource: ["service.name": "shop"])
        let spans = SpanRecorder(exporting: exporter.export)
        configuration.observers = [spans]
        let client = HTTPClient(baseURL: api, interceptors: [TraceContext()], configuration: configuration)
        // end
        let response = try await client.send(.get("/users"))
        await spans.flush()
        #expect(response.request.headers["traceparent"] != nil)
        let sent = String(decoding: server.requests.first?.body ?? Data(), as: UTF8.self)
        #expect(server.requests.first?.path == "/v1/traces" && sent.contains("GET /users") && sent.contains("shop"))
    }

    // sample
    struct Failures: NetworkObserver {
        let show: @Sendable (String) -> Void

        func handle(_ event: NetworkEvent) {
            switch event.kind {
            case .decoded(let decoding): if let error = decoding.error { show("\(decoding.typeName): \(error.reason)") }
            case .callEnded(let end): if case .failure(let error) = end.result { show("\(event.callID): \(error)") }
            default: break
            }
        }
    }
    // end

    @Test func `an observer of your own sees decoding errors and ends`() async throws {
        var configuration = configuration(.json("{}"))
        let screen = Screen()
        configuration.observers = [Failures { screen.show($0) }]
        let client = HTTPClient(baseURL: api, configuration: configuration)
        await #expect(throws: NetworkError.self) { let _: [User] = try await client.request(.get("/users")) }
        let texts = await texts(of: screen, atLeast: 2)
        #expect(texts.first?.hasPrefix("Array<User>") == true && texts.count == 2)
    }
}
