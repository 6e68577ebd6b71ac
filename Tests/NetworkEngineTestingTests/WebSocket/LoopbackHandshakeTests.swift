import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// A WebSocket handshake request as text.
enum RawHandshake {
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    /// Returns a correct request, with some of its text replaced.
    static func head(replacing text: String = "", with other: String = "") -> String {
        let head = """
            GET / HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n\r\n
            """
        return text.isEmpty ? head : head.replacingOccurrences(of: text, with: other)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct LoopbackHandshakeTests {
    @Test func `the key of the RFC gets the answer of the RFC`() throws {
        let server = try LoopbackServer()
        server.enqueue(.webSocket(sending: Data()))
        let client = try RawClient(server)
        try client.send(RawHandshake.head())
        let expected = """
            HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
            """
        #expect(try client.readToEnd() == expected)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1", "POST / HTTP/1.1", 400),
        ("GET / HTTP/1.1", "GET / HTTP/1.0", 400),
        ("Host: test", "Host: test\r\nTransfer-Encoding: chunked", 400),
        ("Upgrade: websocket\r\n", "", 426),
        ("Upgrade: websocket", "Upgrade: h2c", 426),
        ("keep-alive, Upgrade", "keep-alive", 426),
        ("Version: 13", "Version: 8", 426),
        ("Sec-WebSocket-Key: \(RawHandshake.key)\r\n", "", 400),
        (RawHandshake.key, "c2hvcnQ=", 400),
        (RawHandshake.key, "!", 400),
    ])
    func `a request that asks for no WebSocket is refused`(text: String, other: String, status: Int) throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.webSocket { _ in }.ending(.close))
        let client = try RawClient(server)
        let body = other.contains("chunked") ? "0\r\n\r\n" : ""
        try client.send(RawHandshake.head(replacing: text, with: other) + body)
        let answer = try client.read(until: "\n")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("Sec-WebSocket-Version: 13") == (status == 426))
        #expect(server.record.refusals.count == 1)
    }

    @Test func `a refused request leaves the connection to the next one`() throws {
        let server = try LoopbackServer()
        server.enqueue(.webSocket { _ in }, .text("next"))
        let client = try RawClient(server)
        try client.send(RawClient.get() + RawClient.get())
        #expect(try client.read(until: "next").hasPrefix("HTTP/1.1 426 Upgrade Required\r\n"))
    }

    @Test func `any other answer refuses the WebSocket`() async throws {
        let server = try LoopbackServer { _ in .text("no", status: 403) }
        let response = try await server.open()
        #expect(response.statusCode == 403 && response.data == Data("no".utf8) && response.upgrade == nil)
    }

    @Test func `headers of the answer can be wrong on purpose`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.webSocket(headers: ["Sec-WebSocket-Accept": "x"]) { _ in })
        let error = await #expect(throws: NetworkError.self) { try await server.open() }
        #expect(error?.kind == .protocolViolation)
    }

    @Test func `a protocol can be chosen that was not offered`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.webSocket(protocol: "other") { _ in })
        let error = await #expect(throws: NetworkError.self) { try await server.open(protocols: ["chat"]) }
        #expect(error?.kind == .protocolViolation)
    }
}
