import Foundation
import NetworkEngine
import NetworkEngineStreams
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Streams of language models”.
@Suite(.timeLimit(.minutes(5))) struct StreamsOfLanguageModelsTests {
    // sample
    nonisolated struct Message: Codable, Sendable {
        var role: String
        var content: String
    }

    /// What one event adds to an answer.
    nonisolated struct Piece: Decodable, Sendable {
        struct ToolCall: Decodable, Sendable {
            var index: Int
            var name: String?
            var arguments: String?
        }

        struct Usage: Decodable, Sendable, Equatable {
            var input: Int
            var output: Int
        }

        var text: String?
        var tool: ToolCall?
        var usage: Usage?
    }
    // end

    // sample
    nonisolated struct ModelError: Error {
        var message: String
    }

    nonisolated struct ChatAPI: Sendable {
        private let client: HTTPClient

        init(baseURL: URL, key: String, configuration: NetworkConfiguration = NetworkConfiguration()) {
            var retry = RetryPolicy()
            retry.refusalStatuses = [429]  // this server counts a request before it executes it
            client = HTTPClient(
                baseURL: baseURL, interceptors: [retry, APIKeyAuth(key: key)], configuration: configuration)
        }

        /// Starts an answer. Its pieces arrive while the model writes.
        func answer(to messages: [Message]) async throws(NetworkError) -> ResponseStream.EventValues<Piece> {
            let request = Endpoint.post("/chat").json(["messages": messages]).header("Accept", "text/event-stream")
            var pieces = try await client.stream(request.timeout(.seconds(30))).events(as: Piece.self)
            pieces.events.failure = { $0.name == "error" ? ModelError(message: $0.data) : nil }
            return pieces
        }
    }
    // end

    // sample
    nonisolated struct Answer: Sendable {
        private(set) var text = ""
        private(set) var tools: [Int: (name: String, arguments: String)] = [:]
        private(set) var usage: Piece.Usage?

        mutating func add(_ piece: Piece) {
            text += piece.text ?? ""
            usage = piece.usage ?? usage
            guard let call = piece.tool else { return }
            var tool = tools[call.index] ?? ("", "")
            tool.name += call.name ?? ""
            tool.arguments += call.arguments ?? ""
            tools[call.index] = tool
        }
    }
    // end

    // sample
    @MainActor
    final class ChatModel {
        private(set) var answer = Answer()
        private(set) var problem: String?
        private let chat: ChatAPI
        private var reading: Task<Void, Never>?

        init(chat: ChatAPI) { self.chat = chat }

        func ask(_ question: String) {
            stop()
            (answer, problem) = (Answer(), nil)
            reading = Task {
                do throws(NetworkError) {
                    for try await piece in try await chat.answer(to: [Message(role: "user", content: question)]) {
                        guard !Task.isCancelled else { return }
                        answer.add(piece)
                    }
                } catch .cancelled {
                    // The text that has arrived stays on the screen.
                } catch {
                    problem = error.localizedDescription
                }
            }
        }

        func stop() { reading?.cancel() }
    }
    // end

    private nonisolated static let hello = """
        data: {"text": "Hel"}

        data: {"text": "lo"}

        data: {"tool": {"index": 0, "name": "weather", "arguments": "{\\"city\\":"}}

        data: {"tool": {"index": 0, "arguments": "\\"Oslo\\"}"}}

        data: {"usage": {"input": 12, "output": 5}}

        data: [DONE]


        """

    @Test func `a model shows the text that has arrived, also after it was stopped`() async throws {
        let text = "data: {\"text\": \"Hel\"}\n\n"
        let server = try LoopbackServer { _ in
            .data(Data((text + text).utf8), type: "text/event-stream")
                .fault(.stall, at: .responseBody(afterBytes: text.utf8.count))
        }
        let model = await ChatModel(chat: ChatAPI(baseURL: server.url, key: "k"))
        await model.ask("?")
        while await model.answer.text.isEmpty { await Task.yield() }
        await model.stop()
        _ = try await server.wait { $0.openConnections == 0 }
        let (answer, problem) = await (model.answer.text, model.problem)
        #expect(answer == "Hel" && problem == nil && server.record.requestCount == 1)
    }

    // sample
    @Test func `an answer is put together while it arrives`() async throws {
        let server = try LoopbackServer { _ in
            .data(Data(Self.hello.utf8), type: "text/event-stream").dripped(bytes: 7)
        }
        let chat = ChatAPI(baseURL: server.url, key: "k")
        var answer = Answer()
        for try await piece in try await chat.answer(to: []) { answer.add(piece) }
        #expect(answer.text == "Hello" && answer.usage == Piece.Usage(input: 12, output: 5))
        #expect(answer.tools[0]?.arguments == #"{"city":"Oslo"}"#)
    }
    // end

    // sample
    @Test func `an error of the model follows the text that it has written`() async throws {
        let mock = MockTransport(
            .status(
                200, headers: ["Content-Type": "text/event-stream"],
                body: "data: {\"text\": \"Hel\"}\n\nevent: error\ndata: overloaded\n\n"))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let chat = ChatAPI(baseURL: api, key: "k", configuration: configuration)
        var answer = Answer()
        let error = await #expect(throws: NetworkError.self) {
            for try await piece in try await chat.answer(to: []) { answer.add(piece) }
        }
        #expect(answer.text == "Hel" && (error?.underlying as? ModelError)?.message == "overloaded")
    }
    // end

    @Test func `a refused request is repeated before the first byte`() async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .status(429, headers: ["Retry-After": "0"]), .data(Data(Self.hello.utf8), type: "text/event-stream"))
        let chat = ChatAPI(baseURL: server.url, key: "k")
        var answer = Answer()
        for try await piece in try await chat.answer(to: []) { answer.add(piece) }
        #expect(answer.text == "Hello" && server.requests.map(\.method) == [.post, .post])
        #expect(server.requests.allSatisfy { $0.headers["Idempotency-Key"] == nil && $0.headers["X-API-Key"] == "k" })
    }

    // sample
    nonisolated struct Reply: Decodable, Sendable {
        var id: Int?
        var result: [String: String]?
    }

    actor ToolServer {
        private let client: HTTPClient
        private var session: String?

        init(client: HTTPClient) { self.client = client }

        /// Sends a message. The answer is one document, a stream of events, or nothing.
        func send(_ message: some Encodable & Sendable) async throws(NetworkError) -> ResponseStream.EventValues<Reply>
        {
            let accepted = "application/json, text/event-stream"
            let stream = try await client.stream(inSession(.post("/mcp").json(message).header("Accept", accepted)))
            session = stream.headers["Mcp-Session-Id"] ?? session
            var replies = stream.events(as: Reply.self)
            replies.events.acceptsJSON = true
            return replies
        }

        /// Continues an answer whose connection was lost.
        func rest(after id: String) async throws(NetworkError) -> ResponseStream.EventValues<Reply> {
            let request = Endpoint.get("/mcp").header("Accept", "text/event-stream").header("Last-Event-ID", id)
            return try await client.stream(inSession(request)).events(as: Reply.self)
        }

        private func inSession(_ request: Endpoint) -> Endpoint {
            session.map { request.header("Mcp-Session-Id", $0) } ?? request
        }
    }
    // end

    @Test func `a server of tools answers with a document or with events, in one session`() async throws {
        let server = try LoopbackServer()
        let first = Data("id: 1\ndata: {\"id\": 2}\n\nid: 2\ndata: {\"id\": 3}".utf8)
        server.enqueue(
            .json(#"{"id": 1, "result": {"name": "tools"}}"#).header("Mcp-Session-Id", "s1"),
            .data(first, type: "text/event-stream").fault(.reset, at: .responseBody(afterBytes: 30)),
            .data(Data("id: 2\ndata: {\"id\": 3}\n\n".utf8), type: "text/event-stream"), .status(202))
        let tools = ToolServer(client: HTTPClient(baseURL: server.url))
        var read: [Int?] = []
        func show(_ reply: Reply) { read.append(reply.id) }
        for try await reply in try await tools.send(["method": "initialize"]) { show(reply) }
        // sample
        let replies = try await tools.send(["method": "tools/call"])
        do throws(NetworkError) {
            for try await reply in replies { show(reply) }
        } catch {
            guard error.transportFailure == .lostMidBody else { throw error }
            for try await reply in try await tools.rest(after: replies.lastEventID) { show(reply) }
        }
        // end
        for try await reply in try await tools.send(["method": "notifications/initialized"]) { show(reply) }
        #expect(read == [1, 2, 3])
        #expect(server.requests.map { $0.headers["Mcp-Session-Id"] } == [nil, "s1", "s1", "s1"])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, nil, "1", nil])
    }
}
