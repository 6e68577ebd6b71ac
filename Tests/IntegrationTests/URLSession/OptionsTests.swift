import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct URLSessionOptionsTests {
    private func withTransport<Value>(
        _ change: (inout URLSessionOptions) -> Void,
        _ body: (URLSessionTransport) async throws -> Value
    ) async throws -> Value {
        var options = URLSessionOptions()
        change(&options)
        let transport = URLSessionTransport(configuration: .ephemeral, options: options)
        defer { transport.shutdown() }
        return try await body(transport)
    }

    @Test(arguments: [HTTPMethod.post, .patch, "CHARGE"])
    func `requests that may not be repeated arrive once on fresh connections`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in LoopbackResponse.text("ok") }
        try await withTransport({ $0.connectionsForUnsafeMethods = .fresh }) { transport in
            for _ in 0..<5 {
                // The connection after a safe request is stale: the next request on it gets no response.
                server.enqueue(LoopbackResponse.text("a").ending(.closeOnNextRequest))
                _ = try await transport.send(server.request("get"))
                let body = RequestBody.data(Data("pay".utf8))
                _ = try await transport.send(server.request("unsafe", method: method, body: body))
            }
        }
        let unsafe = server.requests.filter { $0.path == "/unsafe" }
        #expect(unsafe.count == 5)
        #expect(unsafe.allSatisfy { $0.headers["Connection"] == "close" && $0.text == "pay" && $0.exchange == 0 })
    }

    #if canImport(FoundationNetworking)
    @Test func `HTTP/3 is refused before I/O where the session does not speak it`() async throws {
        let server = try LoopbackServer()
        try await withTransport({ $0.assumesHTTP3Capable = true }) { transport in
            let error = try await transport.failure(of: server.request())
            #expect(error.kind == .unsupported)
            #expect(throws: NetworkError.self) { try transport.validate() }
        }
        #expect(server.record.acceptedConnections == 0)
    }
    #endif

    @Test func `libcurl repeats a POST on a shared connection that the server closes`() async throws {
        let server = try LoopbackServer { _ in .text("b") }
        server.enqueue(LoopbackResponse.text("a").ending(.closeOnNextRequest))
        try await withTransport({ $0.connectionsForUnsafeMethods = .shared }) { transport in
            _ = try await transport.send(server.request(method: .post))
            // The server has received this one before it closes, and libcurl sends it once more.
            _ = try await transport.send(server.request(method: .post))
        }
        #expect(server.record.acceptedConnections == 2)
    }

    @Test(arguments: [HTTPMethod.get, .put, .post])
    func `requests that may be repeated share connections`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        try await withTransport({ $0.connectionsForUnsafeMethods = .fresh }) { transport in
            let headers: HTTPHeaders = method == .post ? ["Idempotency-Key": "1"] : [:]
            for _ in 0..<5 { _ = try await transport.send(server.request(method: method, headers: headers)) }
        }
        // The platform reports a task's end before its connection can be reused.
        #expect(server.record.acceptedConnections < 5)
        #expect(server.requests.allSatisfy { $0.headers["Connection"] != "close" })
    }

    @Test func `the total limit holds over all hosts`() async throws {
        let barrier = LoopbackBarrier()
        let servers = try (0..<3).map { _ in try LoopbackServer { _ in LoopbackResponse.text("x").held(by: barrier) } }
        try await withTransport({ $0.totalLimit = 2 }) { transport in
            let tasks = servers.map { server in Task { try await transport.send(server.request()) } }
            try await barrier.arrivals(atLeast: 2)
            // A refresh is sent in addition to them. Any other request would have had time to start.
            let other = try LoopbackServer { _ in .text("refresh") }
            _ = try await transport.send(other.request(), context: TransportContext(isRefresh: true))
            #expect(barrier.arrivals == 2)
            barrier.open()
            for task in tasks { _ = try await task.value }
        }
    }

    @Test func `a request beyond the queue limit fails with the limit's name, a refresh never`() async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in LoopbackResponse.text("x").held(by: barrier) }
        try await withTransport({ ($0.totalLimit, $0.queueLimit) = (1, 0) }) { transport in
            let running = Task { try await transport.send(server.request()) }
            try await barrier.arrivals(atLeast: 1)
            let error = try await transport.failure(of: server.request())
            #expect(error.kind == .limit && error.reason.contains("queueLimit"))
            let context = TransportContext(isRefresh: true)
            let refreshes = (0..<2).map { _ in Task { try await transport.send(server.request(), context: context) } }
            try await barrier.arrivals(atLeast: 2)
            barrier.open()
            for task in [running] + refreshes { _ = try await task.value }
        }
    }

    @Test func `invalid options make every request fail`() async throws {
        for (total, queue) in [(0, nil), (1, -1)] as [(Int, Int?)] {
            try await withTransport({ ($0.totalLimit, $0.queueLimit) = (total, queue) }) { transport in
                #expect(throws: NetworkError.self) { try transport.validate() }
                let url = try #require(URL(string: "http://127.0.0.1:9/"))
                #expect(try await transport.failure(of: HTTPRequest(url: url)).kind == .invalidRequest)
            }
        }
    }

    #if os(Linux)
    /// With twenty of each, the few descriptors that the process opens and closes in between don't matter.
    @Test func `a session of the system is made by its first request`() async {
        await #expect(processExitsWith: .success) {
            let before = try Self.descriptors()
            let transports = (0..<10).flatMap { _ in [NetworkConfiguration().transport, URLSessionTransport()] }
            #expect(try Self.descriptors() < before + 20)
            let bare = (0..<20).map { _ in URLSession(configuration: .ephemeral) }
            #expect(try Self.descriptors() >= before + 20)
            for session in bare { session.invalidateAndCancel() }
            let server = try LoopbackServer { _ in .text("x") }
            for transport in transports { #expect(try await transport.send(server.request()).text == "x") }
        }
    }

    /// A session has descriptors from the start.
    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    #endif
}
