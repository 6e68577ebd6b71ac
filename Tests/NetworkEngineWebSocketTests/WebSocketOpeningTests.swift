import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketOpeningTests {
    private static let request = HTTPRequest(url: URL(string: "http://a.test/chat")!)

    /// Requests a WebSocket from a server that answers in chunks.
    private func open(
        protocols: [String] = [],
        closes: Bool = false,
        _ answer: (_ key: String) -> [[UInt8]]
    ) async throws -> (response: HTTPResponse, server: MemoryChannel) {
        let (client, server) = MemoryChannel.pair()
        async let response = WebSocketOpening.response(
            to: Self.request, over: client, offer: WebSocketOffer(protocols: protocols))
        let head = String(decoding: try await server.receive() ?? [], as: UTF8.self)
        let line = head.components(separatedBy: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
        for piece in answer(String(line?.dropFirst(19) ?? "")) { try await server.send(piece) }
        if closes { server.close() }
        return (try await response, server)
    }

    private func accepting(_ key: String, _ fields: String = "") -> [UInt8] {
        let accept = WebSocketHandshake.answer(to: key)
        let fields = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n" + fields
        return Array("HTTP/1.1 101 Switching Protocols\r\n\(fields)\r\n".utf8)
    }

    /// The response to a handshake that the server rejects with a text.
    private func refusal(_ text: String, closes: Bool = false, size: Int = 8_192) async throws -> HTTPResponse {
        try await open(closes: closes) { _ in Array(text.utf8).pieces(of: size) }.response
    }

    private func failure(_ pieces: [[UInt8]], closes: Bool = false) async -> NetworkErrorKind? {
        let error = await #expect(throws: NetworkError.self) { _ = try await open(closes: closes) { _ in pieces } }
        return error?.kind
    }

    private func receive(_ response: HTTPResponse) async throws -> WebSocketMessage? {
        try await (response.upgrade as? WebSocketOwner)?.connection.receive()
    }

    // MARK: An open connection

    @Test func `a status of 101 opens the connection`() async throws {
        let (response, server) = try await open(protocols: ["v1"]) { [accepting($0, "Sec-WebSocket-Protocol: v1\r\n")] }
        let owner = try #require(response.upgrade as? WebSocketOwner)
        #expect(response.statusCode == 101)
        #expect(owner.connection.negotiatedProtocol == "v1")
        try await server.send(RawFrame.text("hello").bytes)
        #expect(try await owner.connection.receive() == .text("hello"))
    }

    @Test func `a head may arrive byte by byte`() async throws {
        let (client, server) = MemoryChannel.pair()
        async let response = WebSocketOpening.response(
            to: Self.request, over: client, offer: WebSocketOffer())
        let head = String(decoding: try await server.receive() ?? [], as: UTF8.self)
        let line = try #require(head.components(separatedBy: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") })
        for byte in accepting(String(line.dropFirst(19))) { try await server.send([byte]) }
        #expect(try await response.upgrade != nil)
    }

    @Test(arguments: ["\r\n\r\n", "\n\n", "\r\n\n", "\n\r\n"])
    func `a head is found however its bytes are cut, also after an interim response`(end: String) async throws {
        let interim = "HTTP/1.1 100 Continue\(end)HTTP/1.1 103 Early Hints\(end)"
        let bytes = Array((interim + "HTTP/1.1 403 No\r\nContent-Length: 4\(end)nope").utf8)
        for cut in 1..<bytes.count {
            let (response, _) = try await open { _ in [Array(bytes[..<cut]), Array(bytes[cut...])] }
            #expect(response.statusCode == 403 && response.data == Data("nope".utf8))
        }
        for size in 1...5 {
            let channel = PieceChannel(bytes.pieces(of: size))
            let response = try await WebSocketOpening.response(
                to: Self.request, over: channel, offer: WebSocketOffer())
            #expect(response.statusCode == 403 && response.data == Data("nope".utf8))
        }
    }

    // Searching from the start for each byte would exceed the time limit.
    @Test(.timeLimit(.minutes(10)), arguments: ["a", "a\r\n", "\r"])
    func `a head of the largest size may arrive byte by byte, and is searched once`(filling: String) async throws {
        let start = Array("HTTP/1.1 403 No\r\nA: ".utf8)
        let filling = Array(repeatElement(Array(filling.utf8), count: 65_400 / filling.utf8.count).joined())
        let channel = PieceChannel((start + filling + Array("b\r\n\r\n".utf8)).pieces(of: 1))
        let response = try await WebSocketOpening.response(
            to: Self.request, over: channel, offer: WebSocketOffer())
        #expect(response.statusCode == 403)
    }

    @Test func `frames directly behind the head are not lost, whole or cut`() async throws {
        let frames = [RawFrame.text("first"), .text("second")].bytes
        for cut in 0...frames.count {
            let (response, _) = try await open { [accepting($0) + frames[..<cut], Array(frames[cut...])] }
            #expect(try await receive(response) == .text("first"))
            #expect(try await receive(response) == .text("second"))
        }
    }

    @Test func `interim responses before the final one are ignored`() async throws {
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let (response, _) = try await open { [Array(interim.utf8) + accepting($0)] }
        #expect(response.upgrade != nil)
        #expect(try await refusal(interim + "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n").statusCode == 403)
    }

    @Test func `a wrong answer to the key is a protocol violation`() async {
        #expect(await failure([accepting("another key")]) == .protocolViolation)
    }

    // MARK: Refusals

    @Test(arguments: [1, 7, 8_192]) func `a refusal has its head and its body`(size: Int) async throws {
        let text = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 4\r\n\r\nnope and more"
        let (client, server) = MemoryChannel.pair()
        async let response = WebSocketOpening.response(
            to: Self.request, over: client, offer: WebSocketOffer())
        for piece in Array(text.dropLast(9).utf8).pieces(of: size) { try await server.send(piece) }
        let refusal = try await response
        #expect(refusal.statusCode == 401 && refusal.upgrade == nil)
        #expect(refusal.headers["www-authenticate"] == "Basic")
        #expect(refusal.data == Data("nope".utf8))
    }

    @Test func `bytes beyond the announced length are not part of the body`() async throws {
        let refusal = try await refusal("HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nabcdef")
        #expect(refusal.data == Data("ab".utf8))
    }

    @Test(arguments: [1, 3, 1_000]) func `a refusal in chunks has its body`(size: Int) async throws {
        let chunks =
            "5\r\nhello\r\n7;name=value\r\n, world\r\n1A \r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nTrailer: a\r\n\r\n"
        let (client, server) = MemoryChannel.pair()
        async let response = WebSocketOpening.response(
            to: Self.request, over: client, offer: WebSocketOffer())
        try await server.send(Array("HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
        for piece in Array(chunks.prefix { $0 != "T" }.utf8).pieces(of: size) { try await server.send(piece) }
        #expect(try await response.data == Data("hello, worldabcdefghijklmnopqrstuvwxyz".utf8))
    }

    @Test func `a refusal without a length has its body up to the end of the connection`() async throws {
        let refusal = try await refusal("HTTP/1.0 500 No\r\n\r\nsome text", closes: true)
        #expect(refusal.data == Data("some text".utf8))
    }

    @Test(arguments: [204, 304]) func `a status without a body has none`(status: Int) async throws {
        #expect(try await refusal("HTTP/1.1 \(status) No\r\n\r\nnoise").data.isEmpty)
    }

    @Test(arguments: ["Content-Length: 100000\r\n\r\n", "\r\n", "Transfer-Encoding: chunked\r\n\r\n186A0\r\n"])
    func `a body is cut off at 64 KiB, although the connection stays open`(start: String) async throws {
        let text = "HTTP/1.1 200 OK\r\n" + start + String(repeating: "a", count: 100_000)
        let refusal = try await refusal(text)
        #expect(refusal.data == Data(repeating: 0x61, count: 65_536))
    }

    @Test(arguments: ["xyz\r\n", "-5\r\nhello", "\r\n", "FFFFFFFFFFFFFFFFFF\r\n", "10000000000\r\n"])
    func `what is no chunk ends the body`(chunk: String) async throws {
        let refusal = try await refusal("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n" + chunk)
        #expect(refusal.data == Data("ab".utf8))
    }

    @Test func `an endless line between chunks ends the body`() async throws {
        let line = String(repeating: "1", count: 2_000)
        let refusal = try await refusal("HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n" + line)
        #expect(refusal.data.isEmpty)
    }

    // MARK: Invalid heads

    @Test func `an endless head exceeds the limit`() async {
        let start = Array("HTTP/1.1 200 OK\r\n".utf8)
        let lines = [UInt8](repeating: 0x61, count: 99) + [0x0A]
        #expect(
            await failure([start] + Array(repeating: Array(repeatElement(lines, count: 80).joined()), count: 12))
                == .limit)
        #expect(await failure(Array(repeating: .init(repeating: 0x61, count: 8_192), count: 12)) == .limit)
    }

    @Test func `endless interim responses exceed the limit`() async {
        let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
        let piece = Array(repeatElement(interim, count: 400).joined())
        #expect(await failure(Array(repeating: piece, count: 12)) == .limit)
    }

    @Test(arguments: [
        "\r\n\r\n", "garbage\r\n\r\n", "SSH-2.0-OpenSSH_9.6\r\n\r\n", "HTTP/2 101 OK\r\n\r\n", "HTTP/1.1 10 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 1O1 OK\r\n\r\n", "HTTP/1.1  101 OK\r\n\r\n",
        "HTTP/1.1\t101\r\n\r\n", "http/1.1 101 OK\r\n\r\n", "HTTP/1.1 101\n\n", "HTTP/1.x 101 OK\r\n\r\n",
        "HTTP/1.x 403 No\r\n\r\n", "HTTP/1./ 403 No\r\n\r\n", "HTTP/1.: 403 No\r\n\r\n", "HTTP/1.\n 403 No\r\n\r\n",
    ])
    func `a head that is not HTTP is a protocol violation`(head: String) async {
        #expect(await failure([Array(head.utf8)]) == .protocolViolation)
    }

    @Test func `a status line without a reason and bare line feeds are accepted`() async throws {
        #expect(try await refusal("HTTP/1.1 403\nContent-Length: 1\n\na").data == Data("a".utf8))
    }

    @Test(arguments: ["", "HTTP/1.1 101 Swit", "HTTP/1.1 100 Continue\r\n\r\n"])
    func `a connection that ends before the response is lost`(head: String) async {
        #expect(await failure(head.isEmpty ? [] : [Array(head.utf8)], closes: true) == .connection)
    }

    @Test func `a canceled opening stops`() async {
        let (client, server) = MemoryChannel.pair()
        let opening = Task {
            try await WebSocketOpening.response(
                to: Self.request, over: client, offer: WebSocketOffer())
        }
        _ = try? await server.receive()
        opening.cancel()
        let error = await #expect(throws: NetworkError.self) { _ = try await opening.value }
        #expect(error?.kind == .cancelled)
    }
}

/// A channel that has received all of its chunks.
private final class PieceChannel: ByteChannel {
    private let pieces: Locked<ArraySlice<[UInt8]>>

    init(_ pieces: [[UInt8]]) { self.pieces = Locked(pieces[...]) }

    func receive() async throws(NetworkError) -> [UInt8]? { pieces.withLock { $0.popFirst() } }
    func send(_ bytes: [UInt8]) async throws(NetworkError) {}
    func close() {}
}
