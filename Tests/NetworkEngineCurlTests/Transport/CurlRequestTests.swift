import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlRequestTests {
    private func seen(_ request: (LoopbackServer) -> HTTPRequest) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .text("ok") }
        return try await withTransport { transport in
            _ = try await transport.send(request(server))
            return try #require(server.requests.first)
        }
    }

    @Test func `headers arrive in order, also repeated and empty ones`() async throws {
        var headers: HTTPHeaders = ["X-A": "1", "X-Empty": "", "Cookie": "a=1"]
        headers.add("2", for: "x-a")
        let request = try await seen { $0.request(headers: headers) }
        #expect(request.headers.values(for: "X-A") == ["1", "2"])
        #expect(request.headers["X-Empty"] == "")
        #expect(request.headers["Cookie"] == "a=1")
    }

    @Test func `libcurl adds only known headers`() async throws {
        let names = try await seen { $0.request() }.headers.map(\.name)
        #expect(Set(names) == ["Host", "User-Agent", "Accept", "Accept-Encoding"])
    }

    @Test(arguments: [HTTPMethod.get, "get"])
    func `a GET sends its body`(method: HTTPMethod) async throws {
        let request = try await seen { $0.request(method: method, body: .data(Data("abc".utf8))) }
        #expect(request.method == method)
        #expect(request.text == "abc")
    }

    @Test(arguments: [HTTPMethod.head, .connect])
    func `a request that libcurl would change is refused before I/O`(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let request = server.request(method: method, body: .data(Data("abc".utf8)))
        let error = try await withTransport { try await $0.failure(of: request) }
        #expect(error.kind == .unsupported)
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: [1 << 20, 2_000_000, 9_000_000])
    func `an address or a header that is too long for libcurl is refused before I/O`(size: Int) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let text = String(repeating: "a", count: size)
        let url = try #require(URL(string: "\(server.url)?q=\(text)"))
        for request in [HTTPRequest(url: url), server.request(headers: ["X-A": text])] {
            let error = try await withTransport { try await $0.failure(of: request) }
            #expect(error.kind == .invalidRequest && error.reason.contains("longer than"))
        }
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: ["HTTP://127.0.0.1:PORT/%2F/.x//y?a=%20b", "http://127.0.0.1:PORT/%2F/.x//y?a=%20b#part"])
    func `an address is sent unchanged, without its fragment`(address: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let url = try #require(URL(string: address.replacingOccurrences(of: "PORT", with: "\(server.port)")))
        _ = try await withTransport { try await $0.send(HTTPRequest(url: url)) }
        #expect(server.requests.first?.target == "/%2F/.x//y?a=%20b")
    }

    @Test func `an IPv6 address is accepted as a host`() async throws {
        var configuration = LoopbackConfiguration()
        configuration.address = .ipv6
        let server = try LoopbackServer(configuration) { _ in .text("six") }
        let response = try await withTransport { try await $0.send(server.request()) }
        #expect(response.text == "six")
    }

    @Test func `successive requests of any method share a connection`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        try await withTransport { transport in
            for method in Array(repeating: [HTTPMethod.get, .post, .put, .head, .delete], count: 5).joined() {
                _ = try await transport.send(server.request(method: method))
            }
        }
        #expect(server.requests.map(\.method.rawValue).prefix(5) == ["GET", "POST", "PUT", "HEAD", "DELETE"])
        #expect(server.record.acceptedConnections == 1)
    }

    @Test func `options of one request do not affect the next`() async throws {
        let server = try LoopbackServer { .text($0.text) }
        try await withTransport(requestsPerHost: 1) { transport in
            let post = server.request(method: .post, headers: ["X-A": "1"], body: .data(Data("abc".utf8)))
            let echoed = try await transport.send(post)
            #expect(echoed.text == "abc")
            let headed = try await transport.send(server.request(method: .head))
            #expect(headed.text.isEmpty)
            let plain = try await transport.send(server.request())
            #expect(plain.text.isEmpty)
        }
        let last = try #require(server.requests.last)
        #expect(last.method == .get)
        #expect(!last.headers.contains("X-A") && !last.headers.contains("Content-Length"))
    }

    @Test(.enabled(if: Program.path(of: "python3") != nil, "there is no Python here"))
    func `a request that was lost is not one that was never sent, although the next connection is refused`()
        async throws
    {
        // The second request on the connection gets no response, and the server no longer listens.
        let script = """
            import socket, sys
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            connection, _ = listener.accept()
            connection.recv(65536)
            listener.close()
            connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n")
            connection.recv(65536)
            connection.close()
            sys.stdin.read()
            """
        let python = try #require(Program.path(of: "python3"))
        for method in [HTTPMethod.get, .post] {
            let server = try ChildProcess(python, ["-c", script], discardsErrors: true)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.readPort())/"))
            try await withTransport { transport in
                _ = try await transport.send(HTTPRequest(url: url))
                let error = try await transport.failure(of: HTTPRequest(method: method, url: url))
                #expect(error.transportFailure == .lostBeforeResponse, "\(method): \(error)")
            }
        }
    }

    @Test func `thousands of requests run concurrently on few connections`() async throws {
        let count = TestLength.count(2_000, sanitized: 10_000, gate: 10_000, whole: 10_000)
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in LoopbackResponse.text("x").held(by: barrier) }
        try await withTransport(requestsPerHost: 8) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { _ = try await transport.send(server.request()) } }
                try await barrier.arrivals(atLeast: 8)
                barrier.open()
                try await group.waitForAll()
            }
        }
        #expect(server.record.requestCount == count)
        #expect(server.record.acceptedConnections <= 8)
    }
}
