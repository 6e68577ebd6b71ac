import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5)))
struct LoopbackWebSocketTests {
    private static let echo = LoopbackResponse.webSocket { socket in
        for try await message in socket.messages { try await socket.send(message) }
    }

    @Test func `messages go to the server's closure and back`() async throws {
        let server = try LoopbackServer { _ in Self.echo }
        let socket = try await server.socket()
        var messages = socket.messages.makeAsyncIterator()
        for message in [WebSocketMessage.text("hé"), .data(Data(count: 300_000)), .text("")] {
            try await socket.send(message)
            #expect(try await messages.next() == message)
        }
        await socket.close()
        #expect(try await messages.next() == nil && socket.closeCode == 1000)
        try await server.wait { $0.openConnections == 0 }
    }

    @Test func `the request of a handshake is recorded, and the closure sees it`() async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .webSocket(protocol: "b", headers: ["X-Test": "1"]) { socket in
                let request = socket.response.request
                try await socket.send(.text("\(request.url.path) \(request.headers["Upgrade"] ?? "-")"))
            })
        let socket = try await server.socket("/chat", protocols: ["a", "b"])
        #expect(socket.negotiatedProtocol == "b" && socket.response.headers["X-Test"] == "1")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("/chat websocket"))
        #expect(server.requests.map { $0.headers["Sec-WebSocket-Protocol"] } == ["a, b"])
        #expect(server.requests[0].isComplete && server.record.finishedRequestCount == 1)
    }

    @Test func `a closure that returns closes with 1000, and one that throws with 1011`() async throws {
        struct Failure: Error {}
        let server = try LoopbackServer()
        server.enqueue(.webSocket { _ in }, .webSocket { _ in throw Failure() })
        let first = try await server.socket()
        for try await _ in first.messages {}
        #expect(first.closeCode == 1000)
        let second = try await server.socket()
        await #expect(throws: NetworkError.self) { for try await _ in second.messages {} }
        #expect(second.closeCode == 1011)
    }

    @Test func `the closure reads all messages before it sees the client's close`() async throws {
        let received = LoopbackBarrier(), texts = Texts()
        let server = try LoopbackServer()
        server.enqueue(
            .webSocket { socket in
                for try await message in socket.messages { texts.add(message.text ?? "-") }
                received.open()
            })
        let socket = try await server.socket()
        for index in 0..<100 { try await socket.send(.text("\(index)")) }
        await socket.close()
        try await received.opened()
        #expect(texts.all.count == 100)
    }

    @Test func `a ping is answered while the closure reads`() async throws {
        let server = try LoopbackServer { _ in Self.echo }
        let socket = try await server.socket()
        try await socket.ping()
        await socket.close()
    }

    @Test func `frames that arrive with the request are not lost`() async throws {
        let server = try LoopbackServer()
        server.enqueue(Self.echo)
        let client = try RawClient(server)
        let text = WebSocketFrame.bytes(.text, Array("early".utf8), from: .client)
        try client.send(Array(RawHandshake.head().utf8) + text)
        let answer = try await RawClient.beside { try client.read(until: "early") }
        #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    }

    @Test func `bytes after the 101 are sent as they are`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.webSocket(sending: Data([0xFF, 0, 1])))
        let socket = try await server.socket()
        let error = await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
        #expect(error?.kind == .protocolViolation)
    }

    @Test func `raw bytes can leave the connection open`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.webSocket(sending: Data(WebSocketFrame.bytes(.text, [0x61], from: .server)), then: .keepAlive))
        let socket = try await server.socket()
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("a"))
        try await socket.send(.text("ignored"))
        #expect(server.openConnections == 1)
    }
}

private final class Texts: Sendable {
    private let texts = Locked([String]())
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
