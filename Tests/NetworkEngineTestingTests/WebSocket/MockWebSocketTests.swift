import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5)))
struct MockWebSocketTests {
    private static let echo = MockAnswer.webSocket { socket in
        for try await message in socket.messages { try await socket.send(message) }
    }

    private func client(_ mock: MockTransport) throws -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return HTTPClient(baseURL: try #require(URL(string: "wss://api.test/v1")), configuration: configuration)
    }

    @Test func `a client talks to the closure of an answer`() async throws {
        let mock = MockTransport(Self.echo)
        let socket = try await client(mock).webSocket(.get("/chat"))
        try await socket.send(.text("hé"))
        #expect(try await socket.messages.first { _ in true } == .text("hé"))
        try await socket.ping()
        await socket.close()
        #expect(socket.closeCode == 1000)
        #expect(mock.requests.map(\.url.absoluteString) == ["https://api.test/v1/chat"])
    }

    @Test func `a message larger than all buffers arrives whole`() async throws {
        let data = Data.sample(3_000_000)
        let socket = try await client(MockTransport(Self.echo)).webSocket(.get("/"))
        try await socket.send(.data(data))
        #expect(try await socket.messages.first { _ in true } == .data(data))
    }

    @Test func `the answer chooses a protocol and adds headers, and the closure sees the handshake`() async throws {
        let answer = MockAnswer.webSocket(protocol: "b", headers: ["X-A": "1"]) { socket in
            let headers = socket.response.request.headers
            try await socket.send(.text("\(headers["Sec-WebSocket-Protocol"] ?? "-") \(headers["X-Token"] ?? "-")"))
        }
        let mock = MockTransport(answer.header("X-B", "2"))
        let endpoint = Endpoint.get("/", headers: ["X-Token": "t"])
        let socket = try await client(mock).webSocket(endpoint, protocols: ["a", "b"])
        #expect(socket.negotiatedProtocol == "b")
        #expect(socket.response.headers["X-A"] == "1" && socket.response.headers["X-B"] == "2")
        #expect(try await socket.messages.first { _ in true } == .text("a, b t"))
    }

    @Test func `a closure that returns closes with 1000, and one that throws with 1011`() async throws {
        struct Failure: Error {}
        let mock = MockTransport(.webSocket { _ in }, .webSocket { _ in throw Failure() })
        let client = try client(mock)
        let first = try await client.webSocket(.get("/"))
        for try await _ in first.messages {}
        #expect(first.closeCode == 1000)
        let second = try await client.webSocket(.get("/"))
        await #expect(throws: NetworkError.self) { for try await _ in second.messages {} }
        #expect(second.closeCode == 1011)
    }

    @Test func `releasing the client's end makes the messages of the closure throw`() async throws {
        let ended = LoopbackBarrier()
        let mock = MockTransport(
            .webSocket { socket in
                await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
                ended.open()
            })
        _ = try await client(mock).webSocket(.get("/"))
        try await ended.opened()
    }

    @Test func `any other answer refuses the WebSocket`() async throws {
        let mock = MockTransport(.text("no", status: 403))
        let error = await #expect(throws: NetworkError.self) { try await client(mock).webSocket(.get("/")) }
        #expect(error?.kind == .status && error?.statusCode == 403)
    }

    @Test func `a WebSocket for an ordinary request fails with an explanation`() async throws {
        let mock = MockTransport(Self.echo)
        let error = await #expect(throws: NetworkError.self) {
            try await client(mock).send(.get("https://api.example.com/"))
        }
        #expect(error?.reason == "the mock answers with a WebSocket, and the request asks for none")
    }

    @Test(arguments: [
        MockAnswer.webSocket(protocol: "other") { _ in },
        .webSocket(headers: ["Sec-WebSocket-Accept": "x"]) { _ in },
        .webSocket(headers: ["Sec-WebSocket-Extensions": "x-webkit-deflate-frame"]) { _ in },
    ])
    func `a wrong handshake of the answer is found by the client`(answer: MockAnswer) async throws {
        let client = try client(MockTransport(answer))
        let error = await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/")) }
        #expect(error?.kind == .protocolViolation)
    }

    @Test func `rules, delays and failures work as for other answers`() async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock)
        mock.on(.get, "/v1/chat").answers(.failure(.connect), Self.echo.delayed(by: .seconds(2)))
        let client = try client(mock)
        await #expect(throws: NetworkError.self) { try await client.webSocket(.get("/chat")) }
        let call = Task { try await client.webSocket(.get("/chat")) }
        #expect(await clock.advanceToNextSleeper() == .seconds(2))
        try await call.value.close()
        try mock.checkAllUsed()
    }

    @Test func `canceling a handshake at any moment leaves nothing behind`() async throws {
        let client = try client(MockTransport(Self.echo.repeating()))
        await withTaskGroup { group in
            for index in 0..<200 {
                group.addTask {
                    let call = Task { try await client.webSocket(.get("/")) }
                    for _ in 0..<index % 20 { await Task.yield() }
                    call.cancel()
                    guard case .failure(let error) = await call.result else { return }
                    #expect((error as? NetworkError)?.kind == .cancelled)
                }
            }
        }
    }
}
