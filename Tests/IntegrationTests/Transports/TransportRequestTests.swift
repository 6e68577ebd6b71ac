import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Requests, over every transport.
@Suite(.timeLimit(.minutes(5))) struct TransportRequestTests {
    private func received(over wire: Wire, _ request: (LoopbackServer) -> HTTPRequest) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .text("ok") }
        return try await wire.withTransport { transport in
            _ = try await transport.send(request(server))
            return try #require(server.requests.first)
        }
    }

    @Test(arguments: Wire.all, ["", " ", " \t "])
    func `a header value of blanks is sent as an empty value`(wire: Wire, value: String) async throws {
        for name in ["X-A", "Cookie", "User-Agent", "Accept", "Content-Type", "Referer", "Host"] {
            let request = try await received(over: wire) { $0.request(headers: [name: value]) }
            #expect(request.headers.values(for: name) == [""])
        }
    }

    @Test(
        arguments: Wire.all,
        [
            HTTPRequest(method: "GET /evil HTTP/1.1\r\nX: 1\r\n\r\nGET", url: URL(filePath: "/")),
            HTTPRequest(url: URL(filePath: "/"), headers: ["X-A\r\nX-Evil": "1"]),
            HTTPRequest(url: URL(filePath: "/"), headers: ["X:Y": "1"]),
            HTTPRequest(url: URL(filePath: "/"), headers: ["Authorization": "token\n"]),
            HTTPRequest(url: URL(filePath: "/"), headers: ["Authorization": "tok\u{8}en"]),
            HTTPRequest(url: URL(filePath: "/"), headers: ["Content-Length": "3"]),
            HTTPRequest(url: URL(filePath: "/"), headers: ["Transfer-Encoding": "chunked"]),
        ])
    func `a request that would smuggle or lose a header is refused before I/O`(wire: Wire, request: HTTPRequest)
        async throws
    {
        let server = try LoopbackServer { _ in .text("ok") }
        var request = request
        request.url = server.url
        let error = try await wire.withTransport { [request] in try await $0.failure(of: request) }
        #expect(error.kind == .invalidRequest)
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: Wire.all, [HTTPMethod.delete, .patch, .query, "PURGE"])
    func `every method but GET and HEAD sends its body`(wire: Wire, method: HTTPMethod) async throws {
        let request = try await received(over: wire) { $0.request(method: method, body: .data(Data("abc".utf8))) }
        #expect(request.method == method)
        #expect(request.text == "abc")
    }

    @Test(arguments: Wire.all) func `a body without a type is not called a form`(wire: Wire) async throws {
        let bare = try await received(over: wire) { $0.request(method: .post, body: .data(Data("abc".utf8))) }
        #expect(bare.headers["Content-Type"] == "application/octet-stream")
        let typed = try await received(over: wire) {
            $0.request(method: .post, headers: ["content-type": "text/x"], body: .data(Data("abc".utf8)))
        }
        #expect(typed.headers.values(for: "Content-Type") == ["text/x"])
    }

    @Test(arguments: Wire.all) func `a range of a body is requested without a coding`(wire: Wire)
        async throws
    {
        let request = try await received(over: wire) { $0.request(headers: ["Range": "bytes=5-"]) }
        #expect(request.headers.values(for: "Accept-Encoding") == ["identity"])
    }

    @Test(arguments: Wire.all) func `a scheme in capitals works`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/%2F?a=%20b"))
        _ = try await wire.withTransport { try await $0.send(HTTPRequest(url: url)) }
        #expect(server.requests.first?.target == "/%2F?a=%20b")
    }

    @Test(arguments: Wire.all) func `cookies are neither kept nor sent`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in LoopbackResponse.text("ok").header("Set-Cookie", "a=1; Path=/") }
        try await wire.withTransport { transport in
            _ = try await transport.send(server.request())
            _ = try await transport.send(server.request())
        }
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, nil])
    }
}
