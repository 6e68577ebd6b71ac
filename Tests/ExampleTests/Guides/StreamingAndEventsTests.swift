import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineStreams
import NetworkEngineTesting
import TestSupport
import Testing

nonisolated struct Price: Codable, Sendable, Equatable { var cents: Int }

/// The samples of “Streaming and events”.
@Suite(.timeLimit(.minutes(5))) struct StreamingAndEventsTests {
    private enum FeedAPI: TargetType {
        case log, news, prices, export

        var baseURL: URL { api }
        var path: String { "/\(self)" }
    }

    private let news = MockAnswer.status(
        200, headers: ["Content-Type": "text/event-stream"],
        body: "id: 1\nevent: added\ndata: first\n\nid: 2\ndata: second\n\n")
    private let prices = MockAnswer.status(
        200, headers: ["Content-Type": "text/event-stream"],
        body: "data: {\"cents\": 7}\n\nevent: price\ndata: {\"cents\": 8}\n\n")

    @Test func `a body is read in pieces, lines and values`() async throws {
        let mock = MockTransport(.text("a\nb"), .text("a\nb"), .text("{\"cents\": 7}\n{\"cents\": 8}\n"))
        let provider: NetworkProvider<FeedAPI> = makeProvider(mock)
        var bytes = 0
        // sample
        let stream = try await provider.stream(.export)
        for try await chunk in stream { bytes += chunk.count }
        // end
        #expect(bytes == 3 && stream.statusCode == 200)
        var shown: [String] = []
        func show(_ line: String) { shown.append(line) }
        // sample
        for try await line in try await provider.stream(.log).lines() { show(line) }
        // end
        #expect(shown == ["a", "b"])
        var sum = 0
        // sample
        for try await price in try await provider.stream(.prices).jsonLines(as: Price.self) { sum += price.cents }
        // end
        #expect(sum == 15)
    }

    @Test func `breaking out of a loop closes the connection`() async throws {
        let server = try LoopbackServer { _ in .endless("line\n").chunked().throttled(bytesPerSecond: 1 << 16) }
        let client = HTTPClient(baseURL: server.url)
        // sample
        for try await line in try await client.stream(.get("/log")).lines() where line.hasPrefix("l") {
            break  // the connection is closed
        }
        // end
        _ = try await server.wait { $0.openConnections == 0 }
    }

    @Test(.enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used"))
    func `a body is written while the response is read`() async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .duplex { exchange in
                var lines = 0
                for try await _ in exchange.received {
                    lines += 1
                    try await exchange.send(Data((lines < 3 ? "answer\n" : "bye\n").utf8))
                }
                try await exchange.finish(trailers: ["X-Checksum": "\(lines)"])
            })
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        var shown: [String] = []
        func show(_ line: String) { shown.append(line) }
        // sample
        let (body, writer) = BodyStream.makeStream()
        try await writer.write(Data("a question\n".utf8))
        let answers = try await client.stream(.post("/chat"), sending: body)
        for try await line in answers.lines() {
            show(line)
            if line == "bye" { writer.finish() } else { try await writer.write(Data("more\n".utf8)) }
        }
        // end
        #expect(shown == ["answer", "answer", "bye"])
        // sample
        let checksum = answers.trailers?["X-Checksum"]
        // end
        #expect(checksum == "3")
    }

    @Test func `a POST that only subscribes reconnects`() async throws {
        let mock = MockTransport(news, .status(204))
        let client = makeClient(mock)
        let topics = ["news"]
        // sample
        var changes = client.events(.post("/subscriptions").json(topics))
        changes.isRepeatable = true
        // end
        (changes.retryDelay, changes.minimumRetryDelay) = (.milliseconds(1), .zero)
        for try await _ in changes {}
        #expect(mock.requests.map(\.method) == [.post, .post])
    }

    @Test func `events arrive with their names`() async throws {
        let provider: NetworkProvider<FeedAPI> = makeProvider(MockTransport(news, .status(204)))
        var shown: [String] = []
        func show(_ name: String, _ data: String) { shown += [name, data] }
        var events = provider.events(.news)
        events.retryDelay = .milliseconds(1)
        events.minimumRetryDelay = .zero
        // sample
        for try await event in events {
            show(event.name, event.data)
        }
        // end
        #expect(shown == ["added", "first", "message", "second"])
    }

    @Test func `events are configured before the loop`() async throws {
        let mock = MockTransport(news, .status(204))
        let provider: NetworkProvider<FeedAPI> = makeProvider(mock)
        let log = Locked<[String]>([])
        let note: @Sendable (String) -> Void = { text in log.withLock { $0.append(text) } }
        // sample
        var events = provider.events(.news)
        events.retryDelay = .milliseconds(10)
        events.idleTimeout = .seconds(45)  // the server sends a comment every 15 seconds
        events.onSignal = { signal in
            switch signal {
            case .connected: note("connected")
            case .reconnecting(let pause, let reason): note("again in \(pause): \(reason.kind)")
            case .comment: break
            }
        }
        // end
        for try await _ in events {}
        #expect(log.withLock { $0.first } == "connected")
        #expect(mock.requests.map { $0.headers["Last-Event-ID"] } == [nil, "2"])
    }

    private nonisolated struct Delta: Decodable, Sendable { var text: String }

    @Test func `the events of a POST are read once`() async throws {
        let mock = MockTransport(
            .status(
                200, headers: ["Content-Type": "text/event-stream"],
                body: "data: {\"text\": \"a\"}\n\ndata: {\"text\": \"b\"}\n\ndata: [DONE]\n\n"))
        let client = makeClient(mock)
        let question = ["text": "?"]
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // sample
        let stream = try await client.stream(.post("/chat").json(question).header("Accept", "text/event-stream"))
        for try await delta in stream.events(as: Delta.self) { show(delta.text) }
        // end
        #expect(shown == ["a", "b"] && mock.requests.map(\.method) == [.post])
    }

    @Test func `the data of events is decoded`() async throws {
        let provider: NetworkProvider<FeedAPI> = makeProvider(MockTransport(prices, .status(204)))
        var shown: [Int] = []
        func show(_ price: Price) { shown.append(price.cents) }
        // sample
        var prices = provider.events(.prices, as: Price.self)
        prices.name = "price"  // other events are skipped
        prices.events.retryDelay = .milliseconds(10)
        for try await price in prices { show(price) }
        // end
        #expect(shown == [8])
    }

    // sample
    @MainActor
    final class TickerModel {
        private(set) var prices: [Price] = []
        private let client: HTTPClient

        init(client: HTTPClient) { self.client = client }

        /// Runs until the task of the view is canceled.
        func follow() async throws(NetworkError) {
            for try await price in client.events(.get("/prices"), as: Price.self) { prices.append(price) }
        }
    }
    // end

    @Test func `a model follows events until its task is canceled`() async throws {
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Type": "text/event-stream"], body: "data: {\"cents\": 7}\n\n")
                .fault(.stall, at: .responseEnd)
        }
        let model = await TickerModel(client: HTTPClient(baseURL: server.url))
        // sample
        let following = Task { try await model.follow() }
        // end
        while await model.prices.isEmpty { await Task.yield() }
        // sample
        following.cancel()  // the view has disappeared
        // end
        let error = await #expect(throws: NetworkError.self) { try await following.value }
        #expect(error?.kind == .cancelled)
    }
}
