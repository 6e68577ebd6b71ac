import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Transports created from an app's existing session.
@Suite(.timeLimit(.minutes(5))) struct ExistingSessionTests {
    @Test func `requests have the additional headers of the session`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-App": "notes"]
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        let response = try await transport.send(server.request())
        #expect(response.text == "ok")
        #expect(server.requests.first?.headers["X-App"] == "notes")
    }

    @Test func `a URL protocol of the session answers`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedProtocol.self]
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        let url = try #require(URL(string: "http://canned.invalid/"))
        let response = try await transport.send(HTTPRequest(url: url), context: TransportContext())
        #expect(response.text == "canned")
    }

    @Test func `the number of connections of the session limits concurrent requests`() async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in .text("ok").held(by: barrier) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        let requests = Task {
            await withTaskGroup { group in
                for _ in 0..<5 { group.addTask { _ = try? await transport.send(server.request()) } }
            }
        }
        try await server.wait { $0.requestCount == 2 }
        #expect(server.acceptedConnections == 2)
        barrier.open()
        await requests.value
        #expect(server.record.requestCount == 5)
        #expect(server.acceptedConnections == 2)
    }

    @Test func `neither cookies nor caches of the session are used`() async throws {
        let server = try LoopbackServer { _ in .text("ok").header("Cache-Control", "max-age=600") }
        let configuration = URLSessionConfiguration.default
        let cookie = HTTPCookie(properties: [
            .domain: server.url.host ?? "", .path: "/", .name: "session", .value: "kept",
        ])
        configuration.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
        configuration.httpCookieStorage?.setCookie(try #require(cookie))
        let transport = URLSessionTransport(session: URLSession(configuration: configuration))
        defer { transport.shutdown() }
        let error = #expect(throws: NetworkError.self) { try transport.validate() }
        for _ in 0..<2 { _ = try await transport.send(server.request()) }
        #expect(error?.reason.contains("httpCookieStorage") == true)
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { !$0.headers.contains("Cookie") })
    }

    @Test func `the session works after its transport was shut down`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = URLSession(configuration: .ephemeral)
        let transport = URLSessionTransport(session: session)
        _ = try await transport.send(server.request())
        transport.shutdown()
        let status = await withCheckedContinuation { (waiter: CheckedContinuation<Int?, Never>) in
            session.dataTask(with: server.url) { _, response, _ in
                waiter.resume(returning: (response as? HTTPURLResponse)?.statusCode)
            }.resume()
        }
        session.finishTasksAndInvalidate()
        #expect(status == 200)
    }

    @Test func `a transport works after its session was invalidated`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = URLSession(configuration: .ephemeral)
        let transport = URLSessionTransport(session: session)
        defer { transport.shutdown() }
        session.finishTasksAndInvalidate()
        let response = try await transport.send(server.request())
        #expect(response.text == "ok")
    }

    @Test func `changing the configuration afterwards does not change the transport`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = URLSession(configuration: .ephemeral)
        let transport = URLSessionTransport(session: session)
        defer { transport.shutdown() }
        session.configuration.httpAdditionalHeaders = ["X-Later": "1"]
        _ = try await transport.send(server.request())
        #expect(server.requests.first?.headers.contains("X-Later") == false)
    }
}

/// Answers every request with the same text.
private final class CannedProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "canned.invalid" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let response = request.url.flatMap {
            HTTPURLResponse(url: $0, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        }
        if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
        client?.urlProtocol(self, didLoad: Data("canned".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
