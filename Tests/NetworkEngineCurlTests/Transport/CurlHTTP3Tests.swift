import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

extension HTTPResponse {
    fileprivate var stream: BodyStream? { if case .stream(let stream) = body { stream } else { nil } }
}

/// HTTP/3, if libcurl supports it.
@Suite(.timeLimit(.minutes(5)), .needsCurl, .needsHTTP3) struct CurlHTTP3Tests {
    private let certificates: Certificates

    init() throws { certificates = try #require(Certificates.shared) }

    private func withServer<Value>(
        _ name: Certificates.Name = .good,
        protocols: [String] = ["quic"],
        _ change: (inout TLSPolicy) throws -> Void = { _ in },
        _ body: (HTTP3Server, CurlTransport) async throws -> Value
    ) async throws -> Value {
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        try change(&policy)
        let server = try HTTP3Server(certificates, name, protocols: protocols)
        let change: (inout CurlConfiguration) -> Void = {
            $0.tls = policy
            $0.assumesHTTP3Capable = true
        }
        return try await withTransport(requestsPerHost: 64, change) { try await body(server, $0) }
    }

    private func protocolOfExchange(
        by protocols: [String],
        _ change: (inout TLSPolicy) throws -> Void = { _ in }
    ) async throws -> String? {
        try await withServer(protocols: protocols, change) { server, transport in
            let response = try await transport.send(server.request("x", mark: "a"))
            #expect(response.text == "a")
            return response.metrics?.networkProtocol
        }
    }

    @Test func `a server that speaks HTTP/3 is asked by it, and one that does not by TCP`() async throws {
        // On a busy machine, the TCP connection may be ready first.
        var isAsked = false
        for _ in 0..<10 where !isAsked { isAsked = try await protocolOfExchange(by: ["tcp", "quic"]) == "h3" }
        #expect(isAsked)
        #expect(try await protocolOfExchange(by: ["quic"]) == "h3")
        #expect(try await protocolOfExchange(by: ["tcp"]) == "http/1.1")
    }

    @Test func `concurrent exchanges share one connection, and none gets the response of another`() async throws {
        try await withServer { server, transport in
            _ = try await transport.send(server.request("x"))
            let results = try await withThrowingTaskGroup(of: (isOwn: Bool, isReused: Bool).self) { group in
                for number in 0..<200 {
                    group.addTask { [request = server.request("x", mark: "\(number)")] in
                        let response = try await transport.send(request)
                        #expect(response.metrics?.networkProtocol == "h3")
                        return (response.text == "\(number)", response.metrics?.isConnectionReused == true)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count == 200 && results.allSatisfy(\.isOwn))
            // The server allows 128 streams before it raises the limit; libcurl then opens another connection.
            #expect(results.count { !$0.isReused } <= 1)
        }
    }

    @Test func `bodies of both directions arrive whole`() async throws {
        let bytes = Data.sample(1 << 20)
        try await withServer { server, transport in
            let echo = try await transport.send(server.request("echo", method: .post, body: .data(bytes)))
            #expect(echo.data == bytes)
            #expect(echo.trailers?["X-After"] == "echo")
            let large = try await transport.send(server.request("bytes/16777216"))
            #expect(large.data.count == 1 << 24)
        }
    }

    @Test func `a streamed body is answered by a stream, piece by piece`() async throws {
        try await withServer { server, transport in
            let (pieces, source) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
            let request = server.request("echo", method: .post, body: .stream(BodyStream { pieces }))
            source.yield(Data("one".utf8))
            let response = try await transport.send(request, context: TransportContext(streamsBody: true))
            let stream = try #require(response.stream)
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == Data("one".utf8))
            source.yield(Data("two".utf8))
            #expect(try await iterator.next() == Data("two".utf8))
            // The connection has nothing else to send by then.
            await letOthersRun()
            let start = ContinuousClock.now
            source.finish()
            #expect(try await iterator.next() == nil)
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    @Test func `a reader that takes its time gets every byte`() async throws {
        try await withServer { server, transport in
            let context = TransportContext(streamsBody: true)
            let response = try await transport.send(server.request("bytes/4194304"), context: context)
            let stream = try #require(response.stream)
            // The slow reader doesn't delay another exchange on the same connection.
            let text = try await transport.send(server.request("x", mark: "beside")).text
            #expect(text == "beside")
            var count = 0
            for try await piece in stream {
                count += piece.count
                for _ in 0..<100 { await Task.yield() }
            }
            #expect(count == 1 << 22)
        }
    }

    @Test(arguments: [
        ("reset", TransportFailure.lostBeforeResponse), ("half", .lostMidBody), ("lost", .lostBeforeResponse),
    ])
    func `a stream that is reset fails its exchange, and the next one succeeds`(
        path: String,
        failure: TransportFailure
    ) async throws {
        try await withServer { server, transport in
            let error = try await transport.failure(of: server.request(path, method: .post))
            #expect(error.transportFailure == failure, "\(error)")
            let text = try await transport.send(server.request("x", mark: "next")).text
            #expect(text == "next")
        }
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `a request that the server has refused is sent again, whatever its method`(method: HTTPMethod) async throws {
        try await withServer { server, transport in
            let request = server.request("refused", mark: "\(method)", method: method)
            let text = try await transport.send(request).text
            #expect(text == "\(method)")
        }
    }

    @Test func `an exchange that waits can be canceled, and shutting down ends the others`() async throws {
        try await withServer { server, transport in
            let requests = [server.request("hold", mark: "a"), server.request("hold", mark: "b")]
            let tasks = requests.map { request in Task { try await transport.send(request) } }
            let text = try await transport.send(server.request("x", mark: "c")).text
            #expect(text == "c")
            tasks[0].cancel()
            await #expect(throws: CancellationError.self) { try await tasks[0].value }
            transport.shutdown()
            let error = await #expect(throws: NetworkError.self) { try await tasks[1].value }
            #expect(error?.kind == .cancelled)
        }
    }

    @Test func `a refused connection is one that was not made, so that any request can be repeated`() async throws {
        let closed = try LoopbackServer()
        closed.stop()
        let url = try #require(URL(string: "https://127.0.0.1:\(closed.port)/"))
        try await withTransport({ $0.assumesHTTP3Capable = true }) { transport in
            let error = try await transport.failure(of: HTTPRequest(method: .post, url: url))
            #expect(error.transportFailure == .connect, "\(error)")
        }
    }

    @Test func `a proxy is asked for no tunnel for QUIC`() async throws {
        let proxy = try LoopbackServer { _ in .status(403) }
        let change: (inout CurlConfiguration) -> Void = {
            $0.assumesHTTP3Capable = true
            $0.proxy = .url(proxy.url)
        }
        try await withTransport(change) { transport in
            let url = try #require(URL(string: "https://localhost:1/"))
            _ = try await transport.failure(of: HTTPRequest(url: url))
        }
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
    }

    @Test func `trust is decided as over TCP`() async throws {
        for name in [Certificates.Name.expired, .foreign, .selfSigned, .stranger] {
            for protocols in [["quic"], ["tcp", "quic"]] {
                try await withServer(name, protocols: protocols) { server, transport in
                    let error = try await transport.failure(of: server.request("x"))
                    #expect(error.kind == .tls, "\(name) \(protocols): \(error)")
                }
            }
        }
    }

    @Test func `pins are compared before anything is sent`() async throws {
        let wrong = [try certificates.publicKeyPin(.renewed), try certificates.certificatePin(.renewed)]
        for pin in wrong {
            for protocols in [["quic"], ["tcp", "quic"]] {
                try await withServer(protocols: protocols) {
                    $0.pins = ["localhost": [pin]]
                } _: { server, transport in
                    let error = try await transport.failure(of: server.request("x"))
                    #expect(error.kind == .tls, "\(pin) \(protocols): \(error)")
                }
            }
        }
        let right = [try certificates.publicKeyPin(.good), try certificates.certificatePin(.good)]
        for pin in right {
            let name = try await protocolOfExchange(by: ["tcp", "quic"]) { $0.pins = ["localhost": [pin]] }
            #expect(name == "h3", "\(pin)")
        }
    }
}

@Suite(.needsCurl) struct CurlWithoutHTTP3Tests {
    @Test func `HTTP/3 is refused before I/O where libcurl does not have it`() async throws {
        var configuration = CurlConfiguration()
        configuration.assumesHTTP3Capable = true
        configuration.usesHTTP2 = HTTP3Server.isUsable ? false : true
        let transport = CurlTransport(configuration: configuration)
        let server = try LoopbackServer()
        let error = try await transport.failure(of: server.request())
        #expect(error.kind == .unsupported)
        #expect(server.record.acceptedConnections == 0)
    }
}
