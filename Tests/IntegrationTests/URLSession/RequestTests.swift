import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

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

    @Test func `headers with one name arrive joined, cookies by semicolons`() async throws {
        var headers: HTTPHeaders = ["X-A": "1", "Cookie": "a=1"]
        headers.add("2", for: "x-a")
        headers.add("b=2", for: "Cookie")
        let request = try await seen { $0.request(headers: headers) }
        #expect(request.headers["X-A"] == "1, 2")
        #expect(request.headers["Cookie"] == "a=1; b=2")
    }

    @Test(
        arguments: [
            ["X-A": 1], ["X-A": "a\r\nX-Evil: 1"], ["X-A\r\nX-Evil": "1"], ["Content-Length": "3"],
        ] as [[String: any Sendable]])
    func `additional headers that would smuggle or crash make every send fail`(
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
    func `GET with a body is refused before I/O`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = server.request(method: method, body: .data(Data("x".utf8)))
        let error = try await withTransport { try await $0.failure(of: request) }
        #expect(error.kind == .unsupported)
        #expect(error.reason.contains(method.rawValue))
        #expect(server.record.acceptedConnections == 0)
    }

    @Test func `successive requests share a connection`() async throws {
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

    @Test func `protocol classes of the configuration replace the network`() async throws {
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
