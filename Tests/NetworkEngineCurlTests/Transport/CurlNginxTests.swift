import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Tests that need a server other than ours.
@Suite(.timeLimit(.minutes(5)), .needsCurl, .needsNginx) struct CurlNginxTests {
    private let certificates: Certificates
    private let server: NginxServer

    init() async throws {
        certificates = try #require(Certificates.shared)
        server = try await NginxServer(certificates)
    }

    private static let piece = Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    /// A hundred chunks, with pauses in between.
    private static func slowBody(_ length: Int? = nil) -> BodyStream {
        BodyStream(length: length.map(Int64.init)) {
            AsyncThrowingStream { source in
                let task = Task {
                    for _ in 0..<100 {
                        source.yield(piece)
                        for _ in 0..<20 { await Task.yield() }
                    }
                    source.finish()
                }
                source.onTermination = { _ in task.cancel() }
            }
        }
    }

    @Test func `nginx is started again with other ports if one is taken`() async throws {
        let place = try LoopbackServer()
        defer { place.stop() }
        let folder = try TemporaryFolder()
        let path = folder.url.path
        let (ports, process) = try await NginxServer.start(in: folder.url, with: [place.port]) { ports in
            """
            daemon off;
            master_process off;
            pid \(path)/pid;
            error_log \(path)/errors;
            events {}
            http { access_log off; server { listen 127.0.0.1:\(ports[0]); return 204; } }
            """
        }
        #expect(ports[0] != place.port && process.isRunning)
    }

    private var policy: TLSPolicy {
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        return policy
    }

    /// The server's reports on a number of concurrent requests.
    private func answers(_ count: Int, _ transport: CurlTransport) async throws -> [[Substring]] {
        try await withThrowingTaskGroup(of: String.self) { [url = server.url] group in
            for _ in 0..<count { group.addTask { try await transport.send(HTTPRequest(url: url)).text } }
            return try await group.reduce(into: []) { $0.append($1.split(separator: " ")) }
        }
    }

    @Test func `concurrent requests over TLS share one HTTP/2 connection`() async throws {
        try await withTransport(requestsPerHost: 50, { $0.tls = policy }) { transport in
            let answers = try await answers(50, transport)
            #expect(answers.count == 50)
            #expect(Set(answers.map { $0[1] }) == ["HTTP/2.0"])
            #expect(Set(answers.map { $0[0] }).count == 1)
        }
    }

    @Test(arguments: [HTTPMethod.get, .post]) func `a redirect is followed on its HTTP/2 connection`(
        method: HTTPMethod
    ) async throws {
        try await withTransport({ $0.tls = policy }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            let first = try await client.send(.get("/")).text.split(separator: " ")
            let response = try await client.send(Endpoint(path: "/moved", method: method))
            #expect(response.request.url.path == "/elsewhere" && response.statusCode == 200)
            #expect(response.text.split(separator: " ").prefix(2) == first.prefix(2) && first[1] == "HTTP/2.0")
        }
    }

    @Test func `several threads leave an origin that speaks HTTP/2 its one connection`() async throws {
        try await withTransport(
            requestsPerHost: 50, { ($0.tls, $0.threads, $0.requestsUntilShared) = (policy, 4, 1) }
        ) { transport in
            var connections: Set<Substring> = []
            for count in [1, 50, 50] {
                for answer in try await answers(count, transport) { connections.insert(answer[0]) }
            }
            #expect(connections.count == 1)
        }
    }

    @Test func `unread bytes of an abandoned stream never reach the next exchange`()
        async throws
    {
        let small = server.url.appendingPathComponent("upload")
        let large = try #require(URL(string: small.absoluteString + "?large"))
        let context = TransportContext(streamsBody: true)
        try await withTransport(requestsPerHost: 8, { $0.tls = policy }) { transport in
            // While this body isn't read, its connection remains in use.
            let other = try await transport.send(HTTPRequest(url: large), context: context)
            for _ in 0..<10 {
                var left: HTTPResponse? = try await transport.send(HTTPRequest(url: large), context: context)
                #expect(left?.statusCode == 200)
                // This response follows earlier bytes: by then libcurl holds back the unread bytes.
                #expect(try await transport.send(HTTPRequest(url: small)).text == "ok")
                left = nil
                // The upload pauses occasionally. Whenever libcurl continues, it delivers the bytes that it holds back.
                let request = HTTPRequest(method: .put, url: small, body: .stream(Self.slowBody()))
                #expect(try await transport.send(request).text == "ok")
            }
            var count = 0
            for try await piece in try #require(other.stream) { count += piece.count }
            #expect(count == 4 << 20)
        }
    }

    @Test(arguments: [nil, 300_000])
    func `a stream is uploaded over TLS as it arrives, over HTTP/2 if libcurl supports it`(
        length: Int?
    ) async throws {
        let body = Self.slowBody(length)
        let url = server.url.appendingPathComponent("upload")
        try await withTransport({ $0.tls = policy }) { transport in
            for _ in 0..<5 {
                let request = HTTPRequest(method: .put, url: url, body: .stream(body))
                let response = try await transport.send(request)
                #expect(response.text == "ok")
            }
        }
        let whole = (0..<100).reduce(into: Data()) { data, _ in data += Self.piece }
        #expect(server.inbox.requests.map(\.body) == Array(repeating: whole, count: 5))
    }

    @Test func `without HTTP/2 each concurrent request has its own connection`() async throws {
        try await withTransport(requestsPerHost: 4, { ($0.tls, $0.usesHTTP2) = (policy, false) }) { transport in
            let answers = try await answers(40, transport)
            #expect(Set(answers.map { $0[1] }) == ["HTTP/1.1"])
            #expect((1...4).contains(Set(answers.map { $0[0] }).count))
        }
    }

    @Test func `a Unix-domain socket replaces the connection and keeps the request`() async throws {
        let url = try #require(URL(string: "http://service.test/path"))
        try await withTransport({ $0.unixSocket = server.socket }) { transport in
            let texts = try await [transport.send(HTTPRequest(url: url)), transport.send(HTTPRequest(url: url))]
            let words = texts.map { $0.text.split(separator: " ") }
            #expect(
                words.map { $0.dropFirst() } == [
                    ["HTTP/1.1", "http", "service.test"], ["HTTP/1.1", "http", "service.test"],
                ])
            #expect(words[0][0] == words[1][0], "the connection is used again")
        }
    }

    @Test func `a missing Unix-domain socket is a failure to connect`() async throws {
        let error = try await withTransport({ $0.unixSocket = "/nowhere/socket" }) {
            try await $0.failure(of: HTTPRequest(url: server.url))
        }
        #expect(error.transportFailure == .connect)
    }
}

extension HTTPResponse {
    fileprivate var stream: BodyStream? { if case .stream(let stream) = body { stream } else { nil } }
}
