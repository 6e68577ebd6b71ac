import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlResponseTests {
    @Test func `trailers do not end the process and are not headers`() async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("hello").trailers(["X-Sum": "1"]), .text("after"))
        try await withTransport { transport in
            let response = try await transport.send(server.request())
            #expect(response.text == "hello")
            #expect(!response.headers.contains("X-Sum"))
            let after = try await transport.send(server.request())
            #expect(after.text == "after")
        }
    }

    @Test(arguments: ["9223372036854775807", "9223372036854775808", "99999999999999999999999"])
    func `a length near 2^63 does not end the process`(length: String) async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("hello").declaringLength(length).ending(.close))
        let error = try await withTransport { try await $0.failure(of: server.request()) }
        #expect(error.kind == .limit || error.kind == .protocolViolation)
    }

    @Test(arguments: LoopbackGzipFlaw.allCases.filter { $0 != .none })
    func `a damaged or truncated gzip body is a failure`(
        flaw: LoopbackGzipFlaw
    ) async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text(String(repeating: "hello ", count: 500)).gzipped(flaw))
        let error = try await withTransport { try await $0.failure(of: server.request()) }
        #expect(error.transportFailure == .contentCoding, "\(error)")
    }

    @Test(arguments: Coder.available)
    func `a body in a coding that was offered arrives decoded, and a bomb is stopped at the limit`(
        coder: Coder
    ) async throws {
        let text = String(repeating: "hello ", count: 500)
        let body = try #require(coder.encoded(Data(text.utf8)))
        let bomb = try #require(coder.encoded(Data(count: 32 << 20)))
        let server = try LoopbackServer { request in
            let data = request.path == "/bomb" ? bomb : request.path == "/cut" ? Data(body.dropLast(1)) : body
            return .data(data, type: "text/plain").header("Content-Encoding", coder.rawValue)
        }
        try await withTransport { transport in
            let response = try await transport.send(server.request())
            #expect(response.text == text)
            #expect(response.headers["Content-Encoding"] == nil)
            #expect(server.requests.first?.headers["Accept-Encoding"]?.contains(coder.rawValue) == true)
            let cut = try await transport.failure(of: server.request("/cut"))
            #expect(cut.transportFailure == .contentCoding)
            var context = TransportContext()
            context.limits.bodyInMemory = 1 << 20
            let error = try await transport.failure(of: server.request("/bomb"), context: context)
            #expect(error.kind == .limit)
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.limits.bodyInFile) = (transport, 1 << 20)
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            let folder = try TemporaryFolder()
            let download = await #expect(throws: NetworkError.self) {
                try await client.download(.get("/bomb"), to: .file(at: folder.url.appendingPathComponent("bomb")))
            }
            #expect(download?.kind == .limit)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        }
    }

    @Test func `a gzip bomb is stopped at the limit`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.gzipBomb())
        var context = TransportContext()
        context.limits.bodyInMemory = 1 << 20
        let error = try await withTransport { [context] in
            try await $0.failure(of: server.request(), context: context)
        }
        #expect(error.kind == .limit)
    }

    @Test(arguments: [
        ("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "ok"),
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "ok"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nName : v\r\n\r\nok", "ok"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "ok"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nokmore", "ok"),
    ])
    func `unusual but harmless heads are accepted`(raw: String, text: String) async throws {
        let server = try LoopbackServer { _ in .raw(raw) }
        let response = try await withTransport { try await $0.send(server.request()) }
        #expect(response.text == text)
    }

    @Test(arguments: [4_900, 6_000]) func `thousands of headers are accepted, and cookies stay separate`(
        count: Int
    ) async throws {
        let server = try LoopbackServer()
        var answer = LoopbackResponse.text("x")
        for number in 0..<count { answer.headers.add("\(number)=a, b", for: "Set-Cookie") }
        server.enqueue(answer)
        // Newer versions accept at most 5,000.
        if count > 5_000, try CurlLibrary.shared.get().number >= 0x08_14_00 {
            let error = try await withTransport { try await $0.failure(of: server.request()) }
            return #expect(error.transportFailure == .limitExceeded)
        }
        let response = try await withTransport { try await $0.send(server.request()) }
        #expect(response.headers.values(for: "Set-Cookie").count == count)
    }

    @Test func `a body in an unknown coding is delivered, and is decoded into no value`() async throws {
        let server = try LoopbackServer { _ in .json("[1]").header("Content-Encoding", "nonsense") }
        try await withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, configuration: configuration)
            let response = try await client.send(.get("/"))
            #expect(response.text == "[1]" && response.headers["Content-Encoding"] == "nonsense")
            let error = await #expect(throws: NetworkError.self) { let _: String = try await client.request(.get("/")) }
            #expect(error?.transportFailure == .contentCoding && error?.statusCode == 200)
        }
    }

    @Test func `no response is cached, and no conditional request is sent`() async throws {
        let server = try LoopbackServer { _ in
            .text("fresh").header("Cache-Control", "max-age=1000").header("ETag", "\"v1\"")
        }
        try await withTransport { transport in
            for _ in 0..<2 {
                let text = try await transport.send(server.request()).text
                #expect(text == "fresh")
            }
        }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { !$0.headers.contains("If-None-Match") })
    }

    @Test func `metrics have the phases and whether a connection was reused`() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await withTransport { transport in
            let first = try #require(try await transport.send(server.request()).metrics)
            let second = try #require(try await transport.send(server.request()).metrics)
            #expect(first.isConnectionReused == false && second.isConnectionReused == true)
            #expect(first.connecting != nil && second.connecting == nil && first.tlsHandshake == nil)
            let firstByte = try #require(first.firstByte)
            let total = try #require(first.total)
            #expect(firstByte > .zero && firstByte <= total)
            #expect(try #require(first.queued) >= .zero)
        }
    }
}
