import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Responses, over every transport.
@Suite(.timeLimit(.minutes(5))) struct TransportResponseTests {
    @Test(arguments: Wire.all) func `a status of any kind is a response with its body`(wire: Wire) async throws {
        let server = try LoopbackServer()
        try await wire.withTransport { transport in
            for status in [200, 204, 299, 304, 400, 404, 500, 503, 999] {
                server.enqueue(.status(status))
                let response = try await transport.send(server.request())
                #expect(response.statusCode == status)
            }
            server.enqueue(.text("gone", status: 410))
            let response = try await transport.send(server.request())
            #expect(response.text == "gone")
        }
    }

    @Test(arguments: Wire.all, [LoopbackFraming.automatic, .chunked(size: 3), .untilClose])
    func `a body arrives complete with any framing`(wire: Wire, framing: LoopbackFraming) async throws {
        let server = try LoopbackServer()
        let body = Data.sample(100_000)
        var answer = LoopbackResponse.data(body)
        answer.framing = framing
        server.enqueue(answer)
        let data = try await wire.withTransport { try await $0.send(server.request()).data }
        #expect(data == body)
    }

    @Test(
        arguments: Wire.all,
        ["Basic realm=\"x\"", "Bearer, Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"1\"", "NTLM"])
    func `a 401 completes with the response and its body`(wire: Wire, challenge: String) async throws {
        let server = try LoopbackServer { _ in
            .text("denied", status: 401).header("WWW-Authenticate", challenge)
        }
        try await wire.withTransport { transport in
            for _ in 0..<20 {
                let response = try await transport.send(server.request())
                #expect(response.statusCode == 401)
                #expect(response.text == "denied")
            }
        }
        #expect(server.record.requestCount == 20)
    }

    @Test(arguments: Wire.all, [300, 301, 302, 303, 304, 305, 307, 308])
    func `a redirect is a response and is not followed`(wire: Wire, status: Int) async throws {
        // URLSession on Linux crashes on a redirect to an incomplete address (`URLSessionCrashTests`).
        let location = wire.isCurl ? "//%127.0.0.1" : "/%2F/../x"
        for method in [HTTPMethod.get, .head, .post, .put] {
            let server = try LoopbackServer()
            server.enqueue(LoopbackResponse.text("moved", status: status).header("Location", location))
            let body: RequestBody = method == .post || method == .put ? .data(Data("abc".utf8)) : .absent
            try await wire.withTransport { transport in
                let response = try await transport.send(server.request(method: method, body: body))
                #expect(response.statusCode == status)
                #expect(response.headers["Location"] == location)
                #expect(response.text == (method == .head || status == 304 ? "" : "moved"))
                _ = try await transport.send(server.request("after"))
            }
            #expect(server.requests.map(\.path) == ["/", "/after"])
        }
    }

    @Test(arguments: Wire.all) func `any number of interim responses is ignored`(wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(
            .text("late").interim(103, headers: ["Link": "</a>"]),
            .text("later").interim(100, times: 50)
        )
        try await wire.withTransport { transport in
            let first = try await transport.send(server.request())
            #expect(first.text == "late" && !first.headers.contains("Link"))
            let later = try await transport.send(server.request())
            #expect(later.text == "later")
        }
    }

    @Test(arguments: Wire.all) func `a decoded body loses the headers that described it coded`(wire: Wire)
        async throws
    {
        let compressed = try #require(Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJVyjPL8pJAQCFEUoNCwAAAA=="))
        for gzip in [compressed, Gzip.stored(Data("hello world".utf8))] {
            let server = try LoopbackServer()
            server.enqueue(LoopbackResponse.data(gzip, type: "text/plain").header("Content-Encoding", "gzip"))
            let response = try await wire.withTransport { try await $0.send(server.request()) }
            #expect(response.text == "hello world")
            #expect(response.headers["Content-Encoding"] == nil)
            #expect(response.headers["Content-Length"] == nil)
            #expect(response.headers["Content-Type"] == "text/plain")
        }
    }

    @Test(arguments: Wire.all) func `cookies that the platform joins are separated again`(wire: Wire) async throws {
        let server = try LoopbackServer()
        let first = "a=1; Expires=Wed, 21 Oct 2030 07:28:00 GMT"
        server.enqueue(LoopbackResponse.text("").header("Set-Cookie", first).header("Set-Cookie", "b=2"))
        let response = try await wire.withTransport { try await $0.send(server.request()) }
        #expect(response.headers.values(for: "Set-Cookie") == [first, "b=2"])
    }

    @Test(arguments: Wire.all) func `an endless body is stopped at the limit`(wire: Wire) async throws {
        let server = try LoopbackServer()
        // URLSession can't limit data that arrives at full speed.
        server.enqueue(wire.isCurl ? .endless() : .endless().throttled(bytesPerSecond: 20_000_000))
        var context = TransportContext()
        context.limits.bodyInMemory = 1_000_000
        let error = try await wire.withTransport { [context] in
            let error = try await $0.failure(of: server.request(), context: context)
            try await server.wait { $0.openConnections == 0 }
            return error
        }
        #expect(error.kind == .limit)
        #expect(error.reason.contains("1000000"))
    }

    @Test(arguments: Wire.all) func `progress begins at once, never goes back and ends at the total`(wire: Wire)
        async throws
    {
        let server = try LoopbackServer()
        server.enqueue(.data(Data(repeating: 1, count: 500_000)))
        let steps = Locked<[TransferProgress]>([])
        let context = TransportContext { step in steps.withLock { $0.append(step) } }
        let request = server.request(method: .post, body: .data(Data(repeating: 2, count: 400_000)))
        let metrics = try await wire.withTransport { try await $0.send(request, context: context).metrics }
        for (direction, total) in [(TransferProgress.Direction.sending, 400_000), (.receiving, 500_000)] {
            let counts = steps.withLock { $0 }.filter { $0.direction == direction }.map(\.completed)
            #expect(counts == counts.sorted())
            #expect(counts.last == Int64(total))
        }
        #expect(metrics?.bytesSent == 400_000)
        #expect(metrics?.bytesReceived == 500_000)
    }

    @Test(arguments: Wire.all) func `metrics order queue, first byte and end`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let metrics = try await wire.withTransport { try await $0.send(server.request()).metrics }
        let first = try #require(metrics?.firstByte)
        let total = try #require(metrics?.total)
        let queued = try #require(metrics?.queued)
        #expect(queued >= .zero)
        #expect(first > .zero && first <= total)
    }

}
