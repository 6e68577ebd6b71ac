import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// The trailer fields.
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlTrailerTests {
    private static let trailers: HTTPHeaders = ["X-Sum": "1", "Authorization": "secret", "x-sum": "2"]

    private func client(_ server: LoopbackServer, _ transport: CurlTransport) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        return HTTPClient(baseURL: server.url, configuration: configuration)
    }

    @Test(arguments: [0, 5, 300_000])
    func `a collected response has the fields after its body`(size: Int) async throws {
        let body = Data(repeating: 7, count: size)
        let server = try LoopbackServer { _ in .data(body).chunked(size: 9_000).trailers(Self.trailers) }
        try await withTransport { transport in
            for _ in 0..<2 {
                let response = try await transport.send(server.request())
                #expect(response.data == body)
                #expect(response.trailers?.values(for: "X-Sum") == ["1", "2"])
                #expect(!response.headers.contains("X-Sum"))
            }
            #expect(server.record.acceptedConnections == 1)
        }
    }

    @Test func `a response without such fields has none, also after one that had some`() async throws {
        let server = try LoopbackServer()
        server.enqueue(
            LoopbackResponse.text("a").trailers(["X": "1"]), .text("b"), .text("c").chunked(size: 1), .empty)
        try await withTransport { transport in
            var seen: [HTTPHeaders?] = []
            for _ in 0..<4 { seen.append(try await transport.send(server.request()).trailers) }
            #expect(seen == [["X": "1"], nil, nil, nil])
        }
    }

    @Test func `a stream has the fields after its last byte`() async throws {
        let barrier = LoopbackBarrier()
        let server = try LoopbackServer { _ in
            .text("first,second").chunked(size: 6).trailers(["X-Sum": "1"])
                .held(by: barrier, at: .responseBody(afterBytes: 6))
        }
        try await withTransport { transport in
            let stream = try await client(server, transport).stream(.get("/"))
            var pieces = stream.makeAsyncIterator()
            #expect(try await pieces.next() == Data("first,".utf8))
            #expect(stream.trailers == nil)
            barrier.open()
            while try await pieces.next() != nil {}
            #expect(stream.trailers == ["X-Sum": "1"])
        }
    }

    @Test func `the fields are known for values and decoded bodies`() async throws {
        let text = #"["a"]"#
        let server = try LoopbackServer { request in
            let response = LoopbackResponse.json(text).chunked(size: 2).trailers(["X-Sum": "1"])
            return request.path == "/gzip" ? response.gzipped() : response
        }
        try await withTransport { transport in
            let client = client(server, transport)
            for path in ["/plain", "/gzip"] {
                let names: NetworkResponse<[String]> = try await client.response(.get("\(path)"))
                #expect(names.value == ["a"] && names.response.trailers == ["X-Sum": "1"])
            }
        }
    }

    @Test func `secrets in the fields are hidden`() async throws {
        let server = try LoopbackServer { _ in .text("hello").trailers(Self.trailers) }
        let trailers = try await withTransport { try await $0.send(server.request()).trailers }
        #expect(trailers?["Authorization"] == "secret")
        #expect("\(trailers as Any)".contains("secret") == false)
    }

    @Test(arguments: [false, true]) func `fields that are too large end the exchange`(streamsBody: Bool) async throws {
        var large = HTTPHeaders()
        for number in 0..<20 { large["X-\(number)"] = String(repeating: "x", count: 8_000) }
        let response = LoopbackResponse.text("hello").trailers(large)
        let server = try LoopbackServer { _ in response }
        try await withTransport { transport in
            let error = await #expect(throws: NetworkError.self) {
                let context = TransportContext(streamsBody: streamsBody)
                let response = try await transport.send(server.request(), context: context)
                guard case .stream(let stream) = response.body else { return }
                for try await _ in stream {}
            }
            #expect(error?.kind == .protocolViolation || error?.kind == .limit, "\(String(describing: error))")
        }
    }

    @Test func `a body that is cut off has no fields`() async throws {
        let raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-Cut"
        let server = try LoopbackServer { _ in .raw(raw).ending(.close) }
        let error = try await withTransport { try await $0.failure(of: server.request()) }
        #expect(error.transportFailure == .lostMidBody && error.response?.trailers == nil)
    }

    private static func raw(trailers: String, then ending: LoopbackEnding = .keepAlive) -> LoopbackResponse {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\(trailers)"
        return .raw(text, then: ending)
    }

    @Test func `silence inside the fields ends a call at its timeout`() async throws {
        let server = try LoopbackServer { _ in
            Self.raw(trailers: "X-Sum: 1\r\nX-Cut").fault(.stall, at: .responseBody(afterBytes: 1_000))
        }
        try await withTransport { transport in
            var configuration = NetworkConfiguration()
            let clock = TestClock()
            (configuration.transport, configuration.clock, configuration.timeout) = (transport, clock, .seconds(5))
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            let call = Task { try await client.request(.get("/"), as: String.self) }
            try await server.wait { $0.requestCount == 1 }
            let ticking = Task {
                while !Task.isCancelled {
                    clock.advance(by: .seconds(1))
                    await Task.yield()
                }
            }
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            ticking.cancel()
            #expect(error?.kind == .timeout && error?.response?.trailers == nil)
        }
    }

    @Test(arguments: [
        "Content-Length: 3", "Content-Length: -1", "Content-Length: 9223372036854775807", "Transfer-Encoding: chunked",
        "Content-Encoding: gzip", "Content-Range: bytes 0-1/2", "Location: /elsewhere", "Connection: close",
    ])
    func `a field that frames a body means nothing after it`(line: String) async throws {
        let server = try LoopbackServer { _ in Self.raw(trailers: "\(line)\r\nX-Sum: 1\r\n\r\n") }
        try await withTransport { transport in
            for _ in 0..<2 {
                let response = try await transport.send(server.request())
                #expect(response.text == "hello" && response.statusCode == 200)
                #expect(response.trailers?["X-Sum"] == "1")
                #expect(response.headers.map(\.name) == ["Transfer-Encoding"])
            }
            #expect(server.record.acceptedConnections == 1)
        }
    }

    @Test(arguments: [
        "no colon", ": no name", "X A: blank", "X-A : blank", "X-A: 1\r\n\tfolded", " folded first", "X-A: \u{1}\u{7F}",
        "X-A: \u{0}", "HTTP/1.1 200 OK", "X-Ä: 1",
    ])
    func `malformed fields after a body neither change it nor the next response`(lines: String) async throws {
        let server = try LoopbackServer()
        server.enqueue(Self.raw(trailers: "\(lines)\r\nX-Sum: 1\r\n\r\n"), .text("next"))
        try await withTransport { transport in
            do {
                let response = try await transport.send(server.request())
                #expect(response.text == "hello" && response.trailers?["X-Sum"] == "1")
            } catch let error as NetworkError {
                #expect(error.kind == .protocolViolation, "\(error)")
            }
            #expect(try await transport.send(server.request()).text == "next")
        }
    }

    /// Uses HTTP/2 if libcurl can send a body of unknown length that way, which requires version 8.7.
    @Test(.needsHTTP2Server) func `each piece of a body is answered over TLS before the next one is sent`()
        async throws
    {
        let certificates = try #require(Certificates.shared)
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        let server = try HTTP2Server(certificates, protocols: ["h2"])
        try await withTransport({ $0.tls = policy }) { transport in
            let (pieces, source) = AsyncThrowingStream<Data, any Error>.makeStream()
            var request = server.request("echo", method: .post)
            request.body = .stream(BodyStream(isReplayable: false) { pieces })
            source.yield(Data("0".utf8))
            let response = try await transport.send(request, context: TransportContext(streamsBody: true))
            guard case .stream(let stream) = response.body else { throw CancellationError() }
            var answers = stream.makeAsyncIterator()
            for number in 0..<50 {
                let answer = try await answers.next().map { String(decoding: $0, as: UTF8.self) }
                #expect(answer == "\(number)")
                if number < 49 { source.yield(Data("\(number + 1)".utf8)) }
            }
            source.finish()
            #expect(try await answers.next() == nil)
            #expect(response.trailers == ["x-after": "echo"])
        }
    }

    @Test(.needsHTTP2Server) func `fields after a body arrive over HTTP/2`() async throws {
        let certificates = try #require(Certificates.shared)
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        let server = try HTTP2Server(certificates, protocols: ["h2"])
        try await withTransport({ $0.tls = policy }) { transport in
            let response = try await transport.send(server.request("trailers", mark: "a"))
            #expect(response.text == "a" && response.trailers == ["x-after": "a"])
        }
    }
}
