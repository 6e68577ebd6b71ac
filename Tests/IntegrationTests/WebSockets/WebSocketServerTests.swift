import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// WebSockets from an independent server, over libcurl.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(
        if: WebSocketServer.isInstalled, "websockets is not installed: .ci/run installs it"),
    .enabled(if: CurlTransport.isAvailable, "there is no libcurl")
)
struct WebSocketServerTests {
    private func client(
        _ server: WebSocketServer,
        _ interceptors: [any RequestInterceptor] = [],
        tls: TLSPolicy = .standard
    ) -> HTTPClient {
        var curl = CurlConfiguration()
        curl.tls = tls
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport(configuration: curl)
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    @Test func `texts and bytes of every size come back as they were sent`() async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/echo"))
        var messages = socket.messages.makeAsyncIterator()
        for size in [0, 1, 125, 126, 65_535, 65_536, 1 << 20] {
            let bytes = Data.sample(size)
            try await socket.send(.data(bytes))
            #expect(try await messages.next() == .data(bytes))
            let text = String(repeating: "ü", count: size / 2)
            try await socket.send(.text(text))
            #expect(try await messages.next() == .text(text))
        }
        try await socket.ping()
        await socket.close(code: 4000, reason: "done")
        #expect(try await messages.next() == nil)
        #expect(socket.closeCode == 4000)
    }

    @Test(
        arguments: [
            ("none", nil),
            ("", "permessage-deflate"),
            ("server_no_context_takeover=True", "permessage-deflate; server_no_context_takeover"),
            ("client_no_context_takeover=True", "permessage-deflate; client_no_context_takeover"),
            ("server_max_window_bits=9", "permessage-deflate; server_max_window_bits=9"),
            ("client_max_window_bits=9", "permessage-deflate; client_max_window_bits=9"),
            ("client_max_window_bits=8", "permessage-deflate; client_max_window_bits=8"),
            (
                "True, True, 11, 10",
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                    + "server_max_window_bits=11; client_max_window_bits=10"
            ),
        ] as [(String, String?)])
    func `messages are compressed in every way that the server chooses`(
        compression: String,
        answer: String?
    ) async throws {
        let server = try await WebSocketServer(compression: compression.isEmpty ? "None" : compression)
        let socket = try await client(server).webSocket(.get("/echo"))
        #expect(socket.response.headers["Sec-WebSocket-Extensions"] == answer)
        var random = SeededGenerator(seed: 3)
        var messages = socket.messages.makeAsyncIterator()
        for number in 0..<300 {
            let word = String(number % 7, radix: 2)
            let text = String(repeating: word, count: Int.random(in: 0...9_000, using: &random))
            try await socket.send(number % 2 == 0 ? .text(text) : .data(Data(text.utf8)))
            #expect(try await messages.next()?.data == Data(text.utf8))
        }
        await socket.close()
    }

    @Test func `a client without compression is not compressed, and one that keeps no context is not kept to it`()
        async throws
    {
        let server = try await WebSocketServer()
        var configuration = NetworkConfiguration()
        configuration.transport = CurlTransport()
        configuration.webSockets.compression = nil
        let plain = try await HTTPClient(baseURL: server.url, configuration: configuration).webSocket(.get("/echo"))
        #expect(plain.response.headers["Sec-WebSocket-Extensions"] == nil)
        configuration.webSockets.compression = WebSocketCompression()
        configuration.webSockets.compression?.keepsContext = false
        configuration.webSockets.compression?.windowBits = 10
        let forgetful = try await HTTPClient(baseURL: server.url, configuration: configuration).webSocket(.get("/echo"))
        let answer = forgetful.response.headers["Sec-WebSocket-Extensions"] ?? ""
        #expect(answer.contains("server_no_context_takeover"))
        for socket in [plain, forgetful] {
            var messages = socket.messages.makeAsyncIterator()
            for size in [0, 100, 70_000] {
                let text = String(repeating: "abc", count: size)
                try await socket.send(.text(text))
                #expect(try await messages.next() == .text(text))
            }
        }
    }

    @Test func `fragments are joined, with pings between them`() async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/fragments"))
        var messages: [WebSocket.Message] = []
        for try await message in socket.messages { messages.append(message) }
        #expect(messages == [.text("Grüße"), .data(Data([0, 1, 2]))])
        #expect(socket.closeCode == 1000)
    }

    @Test func `pings of the server are answered`() async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/pings"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("3 pongs"))
    }

    @Test(arguments: [1000, 1001]) func `a normal close ends the messages`(code: Int) async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/close/\(code)"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("last words"))
        #expect(try await messages.next() == nil)
        #expect(socket.closeCode == UInt16(code))
        #expect(socket.closeReason == "the reason")
    }

    @Test(arguments: [1011, 4001]) func `another close is an error after the last message`(code: Int) async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/close/\(code)"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("last words"))
        let error = await #expect(throws: NetworkError.self) { _ = try await messages.next() }
        #expect(error?.kind == .connection)
        #expect(socket.closeCode == UInt16(code))
        let late = await #expect(throws: NetworkError.self) { try await socket.send(.text("late")) }
        #expect(late?.kind == .connection)
    }

    @Test func `a lost connection is an error after the last message`() async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/abort"))
        var messages = socket.messages.makeAsyncIterator()
        _ = try await messages.next()
        let error = await #expect(throws: NetworkError.self) { _ = try await messages.next() }
        #expect(error?.transportFailure == .lostMidBody)
    }

    @Test func `the server chooses one of the offered protocols`() async throws {
        let server = try await WebSocketServer()
        let client = client(server)
        let socket = try await client.webSocket(.get("/echo"), protocols: ["chat.v1", "chat.v2"])
        #expect(socket.negotiatedProtocol == "chat.v2")
        #expect(try await client.webSocket(.get("/echo")).negotiatedProtocol == nil)
    }

    @Test func `the handshake has the headers of the endpoint and of the interceptors`() async throws {
        let server = try await WebSocketServer()
        let client = client(server, [TokenSource { "secret" }])
        let socket = try await client.webSocket(.get("/headers", headers: ["X-Room": "7"]))
        var messages = socket.messages.makeAsyncIterator()
        let data = try #require(try await messages.next()?.data)
        let headers = try JSONDecoder().decode([String: String].self, from: data)
        #expect(headers["X-Room"] == "7")
        #expect(headers["Authorization"] == "Bearer secret")
        #expect(headers["User-Agent"] == "NetworkEngine")
    }

    @Test func `a rejected handshake refreshes the token once, and is repeated`() async throws {
        let server = try await WebSocketServer()
        let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
        let refresher = TokenRefresher(store: store) { _, _ in BearerToken("new", refreshToken: "r") }
        let socket = try await client(server, [refresher]).webSocket(.get("/secret"))
        await socket.close()
        let error = await #expect(throws: NetworkError.self) { try await client(server).webSocket(.get("/secret")) }
        #expect(error?.statusCode == 401)
        #expect(error?.response?.data == Data("not yet\n".utf8))
    }

    @Test func `a redirect of the handshake is followed`() async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/moved"))
        try await socket.send(.text("here"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("here"))
    }

    @Test func `a slow reader loses no message`() async throws {
        let server = try await WebSocketServer()
        let socket = try await client(server).webSocket(.get("/flood"))
        var count = 0
        for try await message in socket.messages {
            #expect(message.text?.hasPrefix("message \(count) ") == true)
            count += 1
            if count % 1_000 == 0 { for _ in 0..<100 { await Task.yield() } }
        }
        #expect(count == 20_000)
    }

    @Test(.enabled(if: TLSFront.isPossible, "a program is missing: \(TLSFront.missingPrograms)"))
    func `TLS is spoken, and a certificate that is not trusted is refused`() async throws {
        let front = try await TLSFront.start([.good])
        let file = front.certificate(.good)
        let key = file.deletingPathExtension().appendingPathExtension("key")
        let server = try await WebSocketServer(certificate: (file, key))
        var tls = TLSPolicy.standard
        tls.authorities = .file(front.authority)
        let socket = try await client(server, tls: tls).webSocket(.get("/echo"))
        let bytes = Data(repeating: 7, count: 1 << 20)
        try await socket.send(.data(bytes))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .data(bytes))
        // Calls send on their own threads, and the socket thread receives.
        async let sent: Void = {
            for number in 0..<2_000 { try await socket.send(.text("\(number)")) }
        }()
        for number in 0..<2_000 { #expect(try await messages.next() == .text("\(number)")) }
        try await sent
        await socket.close()
        let error = await #expect(throws: NetworkError.self) { try await client(server).webSocket(.get("/echo")) }
        #expect(error?.kind == .tls)
        // A pin for the entire certificate is compared before the handshake is sent.
        let pem = try String(contentsOf: file, encoding: .utf8)
        let body = pem.components(separatedBy: "-----")[2].filter { !$0.isNewline }
        let certificate = try #require(Data(base64Encoded: body))
        tls.pins = ["127.0.0.1": [.certificate(sha256: SHA256.digest(of: certificate).hexadecimal)]]
        try await client(server, tls: tls).webSocket(.get("/echo")).ping()
        tls.pins = ["127.0.0.1": [.certificate(sha256: SHA256.digest(of: Data("another".utf8)).hexadecimal)]]
        let other = await #expect(throws: NetworkError.self) {
            try await client(server, tls: tls).webSocket(.get("/echo"))
        }
        #expect(other?.transportFailure == .tlsCertificate(.pinMismatch))
    }
}
