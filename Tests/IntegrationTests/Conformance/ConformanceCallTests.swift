import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineCookies
@testable import NetworkEngineTesting

/// Apple's HTTP API proposal: the conformance cases for calls. The guide *HTTP conformance* lists all cases.
@Suite(.timeLimit(.minutes(5))) struct ConformanceCallTests {
    private func client(
        _ server: LoopbackServer, _ transport: any Transport, _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        change(&configuration)
        return HTTPClient(baseURL: server.url, configuration: configuration)
    }

    @Test(arguments: Wire.all, [301, 308]) func `a redirect is followed with the same method`(wire: Wire, status: Int)
        async throws
    {
        let server = try LoopbackServer { request in
            request.path == "/request" ? .text("\(request.method)") : .redirect(to: "/request", status: status)
        }
        let response = try await wire.withTransport { try await client(server, $0).send(.get("/start")) }
        #expect(response.text == "GET" && response.request.url.path == "/request")
    }

    @Test(arguments: Wire.all) func `endless redirects are an error`(wire: Wire) async throws {
        let server = try LoopbackServer { .redirect(to: $0.path == "/ping" ? "/pong" : "/ping", status: 301) }
        try await wire.withTransport { transport in
            let error = await #expect(throws: NetworkError.self) {
                try await client(server, transport).send(.get("/ping"))
            }
            #expect(error?.kind == .redirect)
        }
    }

    @Test(arguments: Wire.all) func `a hundred calls at the same time have a hundred responses`(wire: Wire) async throws
    {
        let server = try LoopbackServer { .text($0.path) }
        try await wire.withTransport { transport in
            let client = client(server, transport)
            let paths = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<100 { group.addTask { try await client.send(.get("/\(number)")).text } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(paths == Set((0..<100).map { "/\($0)" }))
        }
    }

    @Test(arguments: Wire.all) func `a GET takes one line`(wire: Wire) async throws {
        let server = try LoopbackServer { .json([$0.method.rawValue, $0.text]) }
        let echo: [String] = try await wire.withTransport { try await client(server, $0).request(.get("/request")) }
        #expect(echo == ["GET", ""])
    }

    @Test(arguments: Wire.all) func `a POST with a body takes one line`(wire: Wire) async throws {
        let server = try LoopbackServer { .json([$0.method.rawValue, $0.text]) }
        let echo: [String] = try await wire.withTransport { transport in
            try await client(server, transport).request(.post("/request").body(Data("Hello World".utf8)))
        }
        #expect(echo == ["POST", "Hello World"])
    }

    @Test(arguments: Wire.all) func `the parameters of a query arrive in order, also twice and empty`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer { .text($0.query ?? "") }
        let items = [("foo", "bar"), ("bar", "baz"), ("qux", ""), ("foo", "phew")].map(URLQueryItem.init)
        let response = try await wire.withTransport { transport in
            try await client(server, transport).send(Endpoint(path: "/request", queryItems: items))
        }
        #expect(response.text == "foo=bar&bar=baz&qux=&foo=phew")
    }

    @Test(arguments: Wire.all) func `a call is canceled before the head`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .hang }
        try await wire.withTransport { transport in
            let client = client(server, transport)
            let call = Task { try await client.send(.get("/stall")) }
            _ = try await server.wait { $0.requestCount == 1 }
            call.cancel()
            let error = await #expect(throws: NetworkError.self) { _ = try await call.value }
            #expect(error?.kind == .cancelled)
        }
    }

    @Test(arguments: Wire.all) func `a call is canceled inside the body`(wire: Wire) async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in
            LoopbackResponse.data(Data(count: 2_000)).held(by: barrier, at: .responseBody(afterBytes: 1_000))
        }
        try await wire.withTransport { transport in
            let client = client(server, transport)
            let began = OneShot<Void>()
            let call = Task {
                for try await _ in try await client.stream(.get("/stall")) { began.settle(()) }
            }
            try await began.wait()
            call.cancel()
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            #expect(error?.kind == .cancelled)
        }
    }

    @Test(arguments: Wire.all) func `a cookie that a server sets is sent back`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            request.path == "/cookie"
                ? LoopbackResponse.text("").header("Set-Cookie", "foo=1b9d")
                : .text(request.headers["Cookie"] ?? "none")
        }
        try await wire.withTransport { transport in
            let client = client(server, transport) { $0.cookies = CookieJar() }
            _ = try await client.send(.get("/cookie"))
            #expect(try await client.send(.get("/request")).text == "foo=1b9d")
        }
    }

    @Test(arguments: Wire.all) func `a stored response is confirmed by its tag, and replaced by the next`(wire: Wire)
        async throws
    {
        let count = Locked(0)
        let server = try LoopbackServer { request in
            count.withLock { count in
                let confirmed = request.headers["If-None-Match"] == "\"\(count)\"" && request.exchange >= 0
                defer { if confirmed { count += 1 } }
                let answer = confirmed ? LoopbackResponse.status(304) : .text("\(count)")
                return answer.header("ETag", "\"\(count)\"").header("Cache-Control", "no-cache")
            }
        }
        try await wire.withTransport { transport in
            let client = client(server, transport) { $0.cache = ResponseCache() }
            var texts: [String] = []
            for _ in 0..<6 { texts.append(try await client.send(.get("/etag")).text) }
            #expect(texts == ["0", "0", "1", "1", "2", "2"])
            #expect(
                server.requests.map { $0.headers["If-None-Match"] } == [
                    nil, "\"0\"", "\"0\"", "\"1\"", "\"1\"", "\"2\"",
                ])
        }
    }
}
