import Foundation
import NetworkEngine
import NetworkEngineTesting
import NetworkEngineWebSocket
import TestSupport
import Testing

/// The samples of “WebSockets”.
@Suite(.timeLimit(.minutes(5))) struct WebSocketsTests {
    private nonisolated struct Move: Codable, Equatable, Sendable { var from, to: String }

    /// Answers one message, and closes the connection.
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

    @Test func `a socket is opened again when it is lost`() async throws {
        struct Problem: Error {}
        let asked = Locked<[String]>([])
        let answer = MockAnswer.webSocket { server in
            var messages = server.messages.makeAsyncIterator()
            if let text = try await messages.next()?.text { asked.withLock { $0.append(text) } }
            try await server.send(.text("price"))
            throw Problem()
        }
        let client = client(answer.repeating())
        let shown = Locked(0)
        let received: @Sendable () -> Int = { shown.withLock { $0 } }
        func show(_ message: WebSocket.Message) { shown.withLock { $0 += 1 } }
        let following = Task {
            // sample
            let socket = client.webSocket(.get("/prices"), reconnecting: ReconnectPolicy()) { connection in
                try await connection.send(.text("subscribe from \(received())"))
            }
            for try await message in socket.messages { show(message) }
            // end
        }
        while received() < 2 { await Task.yield() }
        following.cancel()
        _ = await following.result
        #expect(asked.withLock { $0.first } == "subscribe from 0")
        #expect(asked.withLock { $0.count } == 2)
    }

    @Test func `a socket that only sends has no reader`() async throws {
        let received = OneShot<String>()
        let client = client(
            .webSocket { server in
                var messages = server.messages.makeAsyncIterator()
                if let text = try await messages.next()?.text { received.settle(text) }
            })
        let report = "a report"
        // sample
        var sending = ReconnectPolicy.ignoringMessages
        sending.unsentMessages = .kept(upTo: 1 << 20)
        let reports = client.webSocket(.get("/reports"), reconnecting: sending)
        try await reports.send(.text(report))
        // end
        #expect(try await received.wait() == report)
        await reports.close()
    }

    @Test func `messages wait for the next connection, and states are shown`() async throws {
        let client = client(
            .failure(.connect),
            .webSocket { server in
                var messages = server.messages.makeAsyncIterator()
                _ = try await messages.next()
            })
        // sample
        var policy = ReconnectPolicy()
        policy.unsentMessages = .kept(upTo: 1 << 20)
        policy.failureLimit = 10
        // end
        policy.random = { 0 }
        let socket = client.webSocket(.get("/prices"), reconnecting: policy)
        try await socket.send(.text("hello"))
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // sample
        for await state in socket.states {
            switch state {
            case .connecting: show("connecting")
            case .open: show("online")
            case .waiting(let pause, after: let error): show("\(error.kind), again in \(pause)")
            case .closed(let error): show(error == nil ? "closed" : "failed")
            }
        }
        // end
        #expect(shown.last == "closed")
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
