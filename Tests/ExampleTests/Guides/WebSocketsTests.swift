import Foundation
import NetworkEngine
import NetworkEngineTesting
import NetworkEngineWebSocket
import TestSupport
import Testing

/// The samples of “WebSockets”.
@Suite(.timeLimit(.minutes(5))) struct WebSocketsTests {
    private nonisolated struct Move: Codable, Equatable, Sendable { var from, to: String }

    /// Answers one message, and closes.
    private let once = MockAnswer.webSocket { server in
        var messages = server.messages.makeAsyncIterator()
        if let message = try await messages.next() { try await server.send(message) }
    }

    private func client(_ answers: MockAnswer...) -> HTTPClient {
        let mock = MockTransport()
        mock.on().answers(answers)
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return HTTPClient(baseURL: api, configuration: configuration)
    }

    @Test func `messages are sent and received`() async throws {
        let client = client(
            .webSocket(protocol: "chat.v2") { server in
                var messages = server.messages.makeAsyncIterator()
                if let message = try await messages.next() { try await server.send(message) }
            })
        var shown: [WebSocket.Message] = []
        func show(_ message: WebSocket.Message) { shown.append(message) }
        // sample
        let socket = try await client.webSocket(.get("/rooms/7"), protocols: ["chat.v2"])
        try await socket.send(.text("hello"))
        for try await message in socket.messages { show(message) }
        // end
        #expect(shown == [.text("hello")] && socket.negotiatedProtocol == "chat.v2")
    }

    @Test func `values are sent and received as JSON`() async throws {
        let socket = try await client(once).webSocket(.get("/games/7"))
        var shown: [Move] = []
        func show(_ move: Move) { shown.append(move) }
        // sample
        try await socket.send(json: Move(from: "e2", to: "e4"))
        for try await move in socket.messages(as: Move.self) { show(move) }
        // end
        #expect(shown == [Move(from: "e2", to: "e4")])
    }

    @Test func `a close code of the app is known after the loop`() async throws {
        let client = client(.webSocket { server in await server.close(code: 4401) })
        let socket = try await client.webSocket(.get("/rooms/7"))
        var shown: [String] = []
        func show(_ text: Any) { shown.append("\(text)") }
        // sample
        do {
            for try await message in socket.messages { show(message) }
        } catch {
            guard socket.closeCode == 4401 else { throw error }
            show("sign in again")
        }
        // end
        #expect(shown == ["sign in again"])
    }

    @Test func `an app opens the next socket when one has ended`() async throws {
        let hello = MockAnswer.webSocket { server in try await server.send(.text("hello")) }
        let client = client(hello, .failure(.connect), hello.repeating())
        let pause = Duration.milliseconds(1)
        let log = Locked<[String]>([])
        func show(_ message: WebSocket.Message) { log.withLock { $0.append("message") } }
        func note(_ error: any Error) { log.withLock { $0.append("error") } }
        let following = Task {
            // sample
            while !Task.isCancelled {
                do {
                    let socket = try await client.webSocket(.get("/rooms/7"))
                    for try await message in socket.messages { show(message) }
                } catch {
                    note(error)
                }
                try await Task.sleep(for: pause)
            }
            // end
        }
        while log.withLock({ $0.count < 3 }) { await Task.yield() }
        following.cancel()
        _ = await following.result
        #expect(log.withLock { Array($0.prefix(3)) } == ["message", "error", "message"])
    }

    @Test func `options are set in the configuration`() async throws {
        var configuration = NetworkConfiguration()
        // sample
        configuration.webSockets.pingInterval = .seconds(20)
        configuration.webSockets.messageLimit = 1 << 20
        // end
        #expect(configuration.webSockets != WebSocketOptions())
    }

    @Test func `compression is limited or turned off`() {
        var configuration = NetworkConfiguration()
        // sample
        configuration.webSockets.compression?.keepsContext = false
        configuration.webSockets.compression = nil
        // end
        #expect(configuration.webSockets.compression == nil)
        #expect(WebSocketOptions().compression == WebSocketCompression())
    }

    @Test func `a mock is the other end of a socket`() async throws {
        // sample
        let mock = MockTransport(
            .webSocket { server in
                for try await message in server.messages { try await server.send(message) }
            })
        // end
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let socket = try await HTTPClient(baseURL: api, configuration: configuration).webSocket(.get("/rooms/7"))
        try await socket.send(.text("hello"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("hello"))
        await socket.close()
    }
}
