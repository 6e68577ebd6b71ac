import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

@Suite(.timeLimit(.minutes(5))) struct WebSocketHandshakeTests {
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private func handshake(
        _ address: String = "http://example.com/chat",
        _ headers: HTTPHeaders = [:],
        protocols: [String] = []
    ) throws -> WebSocketHandshake {
        let request = HTTPRequest(url: try #require(URL(string: address)), headers: headers)
        return WebSocketHandshake(request, protocols: protocols, key: Self.key)
    }

    /// The lines of the head, without the empty ones at its end.
    private func lines(_ handshake: WebSocketHandshake, userAgent: String? = nil) -> [String] {
        let text = String(decoding: handshake.head(userAgent: userAgent), as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\n"))
        return text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
    }

    // MARK: The request

    @Test func `the sample key of the standard has the standard's answer`() {
        #expect(WebSocketHandshake.answer(to: Self.key) == Self.accept)
    }

    @Test func `a new key is 16 bytes in Base64, and never the same`() {
        let keys = (0..<50).map { _ in WebSocketHandshake.newKey() }
        #expect(keys.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
        #expect(Set(keys).count == 50)
    }

    @Test func `the head asks for the upgrade`() throws {
        #expect(
            try lines(handshake()) == [
                "GET /chat HTTP/1.1", "Host: example.com", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(Self.key)",
            ])
    }

    @Test(arguments: [
        ("http://example.com", "/"), ("http://example.com/", "/"), ("http://example.com?a=b", "/?a=b"),
        ("http://example.com/a%20b/c?d=e&f", "/a%20b/c?d=e&f"), ("http://example.com/a?", "/a?"),
        ("http://example.com/a#fragment", "/a"), ("http://example.com/a?b#fragment?c", "/a?b"),
        ("http://example.com#fragment", "/"), ("http://example.com/a/../b/./c", "/b/c"),
        ("http://example.com/a?b=/../c", "/a?b=/../c"), ("http://example.com//a", "//a"),
    ])
    func `the first line has the path and the query, and no fragment`(address: String, path: String) throws {
        #expect(try lines(handshake(address)).first == "GET \(path) HTTP/1.1")
    }

    @Test(arguments: [
        ("http://example.com:80/", "example.com"), ("https://example.com:443/", "example.com"),
        ("http://example.com:443/", "example.com:443"), ("https://example.com:80/", "example.com:80"),
        ("http://example.com:8080?a", "example.com:8080"), ("http://[::1]/", "[::1]"), ("http://[::1]:80", "[::1]"),
        ("https://[2001:db8::1]:8443/a", "[2001:db8::1]:8443"), ("http://127.0.0.1:3000/", "127.0.0.1:3000"),
        ("http://EXAMPLE.com/", "example.com"),
    ])
    func `the host has a port unless it is the default one`(address: String, host: String) throws {
        #expect(try lines(handshake(address)).contains("Host: \(host)"))
    }

    @Test func `the host and the user agent of the request take precedence`() throws {
        let lines = lines(
            try handshake("http://a.test/", ["Host": "b.test", "User-Agent": "mine"]), userAgent: "other")
        #expect(
            lines.filter { $0.hasPrefix("Host:") || $0.hasPrefix("User-Agent:") } == [
                "Host: b.test", "User-Agent: mine",
            ])
    }

    @Test func `the head has the user agent, the protocols and the fields of the request`() throws {
        let handshake = try handshake("http://a.test/", ["Cookie": "a=b", "X-Blank": " "], protocols: ["v2", "v1"])
        let lines = lines(handshake, userAgent: "agent")
        #expect(lines.contains("Sec-WebSocket-Protocol: v2, v1"))
        #expect(lines.suffix(3) == ["User-Agent: agent", "Cookie: a=b", "X-Blank: "])
    }

    @Test func `only a GET without a body can ask for a WebSocket`() throws {
        let url = try #require(URL(string: "http://a.test/"))
        for request in [
            HTTPRequest(method: .post, url: url), HTTPRequest(url: url, body: .data(Data("a".utf8))),
            HTTPRequest(url: url, headers: ["sec-websocket-KEY": "a"]),
            HTTPRequest(url: url, headers: ["Upgrade": "h2c"]),
            HTTPRequest(url: url, headers: ["Sec-WebSocket-Extensions": "permessage-deflate"]),
        ] {
            let error = #expect(throws: NetworkError.self) { try request.checkForWebSocket(protocols: []) }
            #expect(error?.kind == .invalidRequest)
        }
        #expect(throws: Never.self) { try HTTPRequest(url: url).checkForWebSocket(protocols: ["a", "b.c"]) }
    }

    @Test(arguments: [[""], ["a b"], ["a,b"], ["a\r\nX: y"], ["ä"], ["a", "b", "a"]])
    func `protocols are tokens, and each is listed once`(protocols: [String]) throws {
        let request = HTTPRequest(url: try #require(URL(string: "http://a.test/")))
        let error = #expect(throws: NetworkError.self) { try request.checkForWebSocket(protocols: protocols) }
        #expect(error?.kind == .invalidRequest)
    }

    // MARK: The answer

    private static let good: HTTPHeaders = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept,
    ]

    private func negotiated(_ changes: HTTPHeaders, protocols: [String] = ["v2", "v1"]) throws -> String? {
        let handshake = try handshake(protocols: protocols)
        let request = HTTPRequest(url: try #require(URL(string: "http://a.test/")))
        let headers = Self.good.merging(changes)
        let response = HTTPResponse(statusCode: 101, headers: headers, request: request)
        return try handshake.answer(of: response).chosenProtocol
    }

    @Test(
        arguments: [
            [:], ["Upgrade": "WebSocket"], ["Connection": "upgrade"], ["Connection": "keep-alive, UPGRADE"],
            ["Connection": "keep-alive ,\tUpgrade ,"], ["Sec-WebSocket-Extensions": ""],
        ] as [HTTPHeaders])
    func `letter case and lists of the answer do not matter`(changes: HTTPHeaders) throws {
        #expect(try negotiated(changes) == nil)
    }

    @Test func `the answer's Connection may be several fields`() throws {
        var headers: HTTPHeaders = ["Connection": "keep-alive"]
        headers.add("Upgrade", for: "connection")
        #expect(try negotiated(headers) == nil)
    }

    @Test(
        arguments: [
            ["Upgrade": "h2c"], ["Upgrade": "websocket2"], ["Upgrade": ""], ["Upgrade": "h2c, websocket"],
            ["Connection": "keep-alive"], ["Connection": "not-upgrade"], ["Connection": ""],
            ["Sec-WebSocket-Accept": ""], ["Sec-WebSocket-Accept": accept.lowercased()],
            ["Sec-WebSocket-Accept": key], ["Sec-WebSocket-Accept": accept + "="],
            ["Sec-WebSocket-Accept": accept + ", " + accept],
            ["Sec-WebSocket-Extensions": "permessage-deflate"], ["Sec-WebSocket-Extensions": "a; b=c, d"],
            ["Sec-WebSocket-Protocol": "v3"], ["Sec-WebSocket-Protocol": ""], ["Sec-WebSocket-Protocol": "V2"],
            ["Sec-WebSocket-Protocol": "v2, v1"],
        ] as [HTTPHeaders])
    func `a wrong answer is a protocol violation with its response`(changes: HTTPHeaders) {
        let error = #expect(throws: NetworkError.self) { try negotiated(changes) }
        #expect(error?.kind == .protocolViolation)
        #expect(error?.statusCode == 101)
    }

    @Test(arguments: ["Upgrade", "Connection", "Sec-WebSocket-Accept"])
    func `an answer without one of its fields is a protocol violation`(name: String) throws {
        let handshake = try handshake()
        var headers = Self.good
        headers[name] = nil
        let request = HTTPRequest(url: try #require(URL(string: "http://a.test/")))
        let response = HTTPResponse(statusCode: 101, headers: headers, request: request)
        let error = #expect(throws: NetworkError.self) { try handshake.answer(of: response) }
        #expect(error?.kind == .protocolViolation)
    }

    @Test func `each offered protocol may be chosen, and none`() throws {
        #expect(try negotiated(["Sec-WebSocket-Protocol": "v1"]) == "v1")
        #expect(try negotiated(["Sec-WebSocket-Protocol": "v2"]) == "v2")
        #expect(try negotiated([:]) == nil)
    }

    @Test func `two fields with a protocol are a violation, and so is one when none was offered`() {
        var twice: HTTPHeaders = ["Sec-WebSocket-Protocol": "v2"]
        twice.add("v2", for: "Sec-WebSocket-Protocol")
        #expect(throws: NetworkError.self) { try negotiated(twice) }
        #expect(throws: NetworkError.self) { try negotiated(["Sec-WebSocket-Protocol": "v2"], protocols: []) }
    }
}
