import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct URLSessionRequestTests {
    private func seen(_ request: (LoopbackServer) -> HTTPRequest) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .text("ok") }
        return try await withTransport { transport in
            _ = try await transport.send(request(server))
            return try #require(server.requests.first)
        }
    }

    @Test func `headers arrive, several of one name joined, cookies by semicolons`() async throws {
        var headers: HTTPHeaders = ["X-A": "1", "Cookie": "a=1"]
        headers.add("2", for: "x-a")
        headers.add("b=2", for: "Cookie")
        let request = try await seen { $0.request(headers: headers) }
        #expect(request.headers["X-A"] == "1, 2")
        #expect(request.headers["Cookie"] == "a=1; b=2")
    }

    @Test(arguments: [
        HTTPRequest(method: "GET /evil HTTP/1.1\r\nX: 1\r\n\r\nGET", url: URL(filePath: "/")),
        HTTPRequest(url: URL(filePath: "/"), headers: ["X-A\r\nX-Evil": "1"]),
        HTTPRequest(url: URL(filePath: "/"), headers: ["X:Y": "1"]),
        HTTPRequest(url: URL(filePath: "/"), headers: ["Authorization": "token\n"]),
        HTTPRequest(url: URL(filePath: "/"), headers: ["Authorization": "tok\u{8}en"]),
        HTTPRequest(url: URL(filePath: "/"), headers: ["Content-Length": "3"]),
        HTTPRequest(url: URL(filePath: "/"), headers: ["Transfer-Encoding": "chunked"]),
    ])
    func `L8: what would smuggle or vanish is refused before I/O`(request: HTTPRequest) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        var request = request
        request.url = server.url
        let error = try await withTransport { [request] in try await $0.failure(of: request) }
        #expect(error.kind == .invalidRequest)
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: ["", " ", " \t "], ["X-A", "Cookie", "User-Agent", "Accept", "Content-Type", "Referer", "Host"])
    func `a value of blanks is sent, as an empty one`(value: String, name: String) async throws {
        let request = try await seen { $0.request(headers: [name: value]) }
        #expect(request.headers.values(for: name) == [""])
    }

    @Test(
        arguments: [
            ["X-A": 1], ["X-A": "a\r\nX-Evil: 1"], ["X-A\r\nX-Evil": "1"], ["Content-Length": "3"],
        ] as [[String: any Sendable]])
    func `L8: additional headers that would smuggle or crash make every send fail`(
        headers: [String: any Sendable]
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = headers
        let transport = URLSessionTransport(configuration: configuration)
        let error = try await transport.failure(of: server.request())
        #expect(error.kind == .invalidRequest)
        #expect(error.reason.contains("httpAdditionalHeaders"))
        #expect(throws: NetworkError.self) { try transport.validate() }
        #expect(server.record.acceptedConnections == 0)
    }

    @Test func `additional headers are sent`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-A": "1", "X-Blank": " "]
        let transport = URLSessionTransport(configuration: configuration)
        _ = try await transport.send(server.request())
        #expect(server.requests.first?.headers["X-A"] == "1")
        #expect(server.requests.first?.headers["X-Blank"] == "")
        transport.shutdown()
    }

    @Test(arguments: [HTTPMethod.get, "get", .head])
    func `linux 8: GET with a body is refused before I/O`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = server.request(method: method, body: .data(Data("x".utf8)))
        let error = try await withTransport { try await $0.failure(of: request) }
        #expect(error.kind == .unsupported)
        #expect(error.reason.contains(method.rawValue))
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: [HTTPMethod.delete, .patch, .query, "PURGE"])
    func `linux 8: every other method sends its body`(method: HTTPMethod) async throws {
        let request = try await seen { $0.request(method: method, body: .data(Data("abc".utf8))) }
        #expect(request.method == method)
        #expect(request.text == "abc")
    }

    @Test func `linux 8: a body without a type is not called a form`() async throws {
        let bare = try await seen { $0.request(method: .post, body: .data(Data("abc".utf8))) }
        #expect(bare.headers["Content-Type"] == "application/octet-stream")
        let typed = try await seen {
            $0.request(method: .post, headers: ["content-type": "text/x"], body: .data(Data("abc".utf8)))
        }
        #expect(typed.headers["Content-Type"] == "text/x")
    }

    @Test func `matrix 34: a part of a body is asked for as it is, not coded`() async throws {
        let request = try await seen { $0.request(headers: ["Range": "bytes=5-"]) }
        #expect(request.headers["Accept-Encoding"] == "identity")
    }

    @Test func `linux 4: a scheme in capitals works`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/%2F?a=%20b"))
        _ = try await withTransport { try await $0.send(HTTPRequest(url: url)) }
        #expect(server.requests.first?.target == "/%2F?a=%20b")
    }

    @Test func `linux 8: cookies are neither kept nor sent by the session`() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse.text("ok").header("Set-Cookie", "a=1; Path=/") }
        try await withTransport { transport in
            _ = try await transport.send(server.request())
            _ = try await transport.send(server.request())
        }
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, nil])
    }

    @Test func `L18: many requests one after the other share a connection`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        try await withTransport { transport in
            for _ in 0..<20 { _ = try await transport.send(server.request()) }
        }
        #expect(server.record.acceptedConnections == 1)
    }

    @Test func `the given configuration is not changed`() {
        let configuration = URLSessionConfiguration.default
        let cache = URLCache(memoryCapacity: 1, diskCapacity: 0, diskPath: nil)
        configuration.urlCache = cache
        configuration.timeoutIntervalForRequest = 3
        _ = URLSessionTransport(configuration: configuration)
        #expect(configuration.urlCache === cache)
        #expect(configuration.timeoutIntervalForRequest == 3)
        #expect(configuration.httpShouldSetCookies)
    }

    @Test func `protocol classes of the configuration answer in place of the network`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedProtocol.self]
        let transport = URLSessionTransport(configuration: configuration)
        let url = try #require(URL(string: "http://canned.invalid/"))
        let response = try await transport.send(HTTPRequest(url: url))
        #expect(response.statusCode == 201)
        #expect(response.text == "canned")
        transport.shutdown()
    }
}

private final class CannedProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 201, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("canned".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
