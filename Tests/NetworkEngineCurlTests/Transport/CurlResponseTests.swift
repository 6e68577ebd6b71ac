import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlResponseTests {
    @Test func `a status of any kind is a response with its body`() async throws {
        let server = try LoopbackServer()
        try await withTransport { transport in
            for status in [200, 204, 299, 304, 400, 404, 500, 503, 999] {
                server.enqueue(.status(status))
                let response = try await transport.send(server.request())
                #expect(response.statusCode == status)
            }
            server.enqueue(.text("gone", status: 410))
            let gone = try await transport.send(server.request())
            #expect(gone.text == "gone")
        }
    }

    @Test(arguments: [LoopbackFraming.automatic, .chunked(size: 3), .untilClose])
    func `matrix 4, 6: a body arrives whole, however it is framed`(framing: LoopbackFraming) async throws {
        let server = try LoopbackServer()
        let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var answer = LoopbackResponse.data(body)
        answer.framing = framing
        server.enqueue(answer)
        let data = try await withTransport { try await $0.send(server.request()).data }
        #expect(data == body)
    }

    @Test(arguments: ["Basic realm=\"x\"", "Bearer, Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "NTLM"])
    func `L2: a 401 completes with the response and its body`(challenge: String) async throws {
        let server = try LoopbackServer { _ in
            .text("denied", status: 401).header("WWW-Authenticate", challenge)
        }
        try await withTransport { transport in
            let response = try await transport.send(server.request())
            #expect(response.statusCode == 401)
            #expect(response.text == "denied")
        }
        #expect(server.record.requestCount == 1)
    }

    @Test(arguments: [300, 301, 302, 303, 304, 305, 307, 308], [HTTPMethod.get, .head, .post, .put])
    func `L3, L4: a redirect is a response, and nobody follows it`(status: Int, method: HTTPMethod) async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("moved", status: status).header("Location", "//%127.0.0.1"))
        let body: RequestBody = method == .post || method == .put ? .data(Data("abc".utf8)) : .none
        try await withTransport { transport in
            let response = try await transport.send(server.request(method: method, body: body))
            #expect(response.statusCode == status)
            #expect(response.headers["Location"] == "//%127.0.0.1")
            #expect(response.text == (method == .head || status == 304 ? "" : "moved"))
            _ = try await transport.send(server.request("after"))
        }
        #expect(server.requests.map(\.path) == ["/", "/after"])
    }

    @Test func `L1: trailers do not end the process, and are no headers`() async throws {
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
    func `linux 0: a length near the end of all numbers does not end the process`(length: String) async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("hello").declaringLength(length).ending(.close))
        let error = try await withTransport { try await $0.failure(of: server.request()) }
        #expect(error.kind == .limit || error.kind == .protocolViolation)
    }

    @Test func `L11: interim responses are ignored, fifty of them too`() async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .text("late").interim(103, headers: ["Link": "</a>"]),
            .text("later").interim(100, times: 50)
        )
        try await withTransport { transport in
            let first = try await transport.send(server.request())
            #expect(first.text == "late" && !first.headers.contains("Link"))
            let later = try await transport.send(server.request())
            #expect(later.text == "later")
        }
    }

    @Test func `L9: a decoded body loses the headers that described it coded`() async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("hello world").gzipped())
        let response = try await withTransport { try await $0.send(server.request()) }
        #expect(response.text == "hello world")
        #expect(response.headers["Content-Encoding"] == nil)
        #expect(response.headers["Content-Length"] == nil)
        #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test(arguments: LoopbackGzipFlaw.allCases.filter { $0 != .none })
    func `L9, matrix 29 to 32: a flawed gzip body is a failure, also a cut off one`(
        flaw: LoopbackGzipFlaw
    ) async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text(String(repeating: "hello ", count: 500)).gzipped(flaw))
        let error = try await withTransport { try await $0.failure(of: server.request()) }
        #expect(error.transportFailure == .contentCoding, "\(error)")
    }

    @Test func `matrix 31: a bomb stops at the limit`() async throws {
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
    func `L12: odd heads that are no harm are taken`(raw: String, text: String) async throws {
        let server = try LoopbackServer { _ in .raw(raw) }
        let response = try await withTransport { try await $0.send(server.request()) }
        #expect(response.text == text)
    }

    @Test(arguments: [4_900, 6_000]) func `L12: thousands of fields are no matter, each cookie for itself`(
        count: Int
    ) async throws {
        let server = try LoopbackServer()
        var answer = LoopbackResponse.text("x")
        for number in 0..<count { answer.headers.add("\(number)=a, b", for: "Set-Cookie") }
        server.enqueue(answer)
        // Newer libraries take 5,000 at most.
        if count > 5_000, try CurlLibrary.shared.get().number >= 0x08_14_00 {
            let error = try await withTransport { try await $0.failure(of: server.request()) }
            return #expect(error.transportFailure == .limitExceeded)
        }
        let response = try await withTransport { try await $0.send(server.request()) }
        #expect(response.headers.values(for: "Set-Cookie").count == count)
    }

    @Test func `a body for a file is written to one that nobody else can read`() async throws {
        let server = try LoopbackServer()
        let body = Data(repeating: 7, count: 1_000_000)
        server.enqueue(.data(body))
        try await withTemporaryFile { place in
            let context = TransportContext(destination: .file(place))
            let response = try await withTransport { try await $0.send(server.request(), context: context) }
            guard case .file(let url) = response.body else { return #expect(Bool(false), "\(response.body)") }
            #expect(try Data(contentsOf: url) == body)
            let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `a failed exchange leaves no file behind`() async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("hello").fault(.reset, at: .responseBody(afterBytes: 2)))
        try await withTemporaryFile { place in
            let context = TransportContext(destination: .file(place))
            let error = try await withTransport { try await $0.failure(of: server.request(), context: context) }
            #expect(error.kind == .connection)
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }
    }

    @Test(arguments: [false, true])
    func `matrix 28: an endless body is stopped at the limit`(goesToFile: Bool) async throws {
        let server = try LoopbackServer()
        server.enqueue(.endless())
        try await withTemporaryFile { place in
            var context = TransportContext(destination: goesToFile ? .file(place) : .memory)
            context.limits.bodyInMemory = 1_000_000
            context.limits.bodyInFile = 1_000_000
            let error = try await withTransport { [context] in
                let error = try await $0.failure(of: server.request(), context: context)
                try await server.wait { $0.openConnections == 0 }
                return error
            }
            #expect(error.kind == .limit)
            #expect(error.reason.contains("1000000"))
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }
    }

    @Test func `L13: nothing is kept, so what may be kept is asked for again, without conditions`() async throws {
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

    @Test func `progress begins at once, never goes back and ends at the whole`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.data(Data(repeating: 1, count: 500_000)))
        let steps = Locked<[TransferProgress]>([])
        let context = TransportContext { step in steps.withLock { $0.append(step) } }
        let request = server.request(method: .post, body: .data(Data(repeating: 2, count: 400_000)))
        let metrics = try await withTransport { try await $0.send(request, context: context).metrics }
        for (direction, total) in [(TransferProgress.Direction.sending, 400_000), (.receiving, 500_000)] {
            let counts = steps.withLock { $0 }.filter { $0.direction == direction }.map(\.completed)
            #expect(counts == counts.sorted())
            #expect(counts.last == Int64(total))
        }
        #expect(metrics?.bytesSent == 400_000)
        #expect(metrics?.bytesReceived == 500_000)
    }

    @Test func `metrics know the phases, and whether a connection was there`() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await withTransport { transport in
            let first = try #require(try await transport.send(server.request()).metrics)
            let second = try #require(try await transport.send(server.request()).metrics)
            #expect(first.isConnectionReused == false && second.isConnectionReused == true)
            #expect(first.connecting != nil && second.connecting == nil && first.securing == nil)
            let firstByte = try #require(first.firstByte)
            let total = try #require(first.total)
            #expect(firstByte > .zero && firstByte <= total)
            #expect(try #require(first.queued) >= .zero)
        }
    }
}
