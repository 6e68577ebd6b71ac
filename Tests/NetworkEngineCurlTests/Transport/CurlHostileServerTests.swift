import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Malicious responses.
@Suite(.timeLimit(.minutes(5)), .needsCurl) struct CurlHostileServerTests {
    @Test func `a folded first field does not change the previous response`() async throws {
        let server = try LoopbackServer()
        let plain = "HTTP/1.1 200 OK\r\nX-First: one\r\nContent-Length: 1\r\n\r\na"
        let folded = "HTTP/1.1 200 OK\r\n\tX: \(String(repeating: "y", count: 300))\r\nContent-Length: 1\r\n\r\nb"
        try await withTransport(requestsPerHost: 1) { transport in
            for _ in 0..<20 {
                server.enqueue(.raw(plain, then: .keepAlive), .raw(folded, then: .keepAlive))
                let text1 = try await transport.send(server.request()).text
                #expect(text1 == "a")
                // The test passes whether or not libcurl accepts such a head.
                _ = try? await transport.send(server.request())
            }
            server.enqueue(.text("after"))
            let text2 = try await transport.send(server.request()).text
            #expect(text2 == "after")
        }
    }

    @Test func `bytes on an idle connection answer no request`() async throws {
        let server = try LoopbackServer { _ in .text("good") }
        let (barrier, end) = (LoopbackBarrier(), LoopbackBarrier())
        let head = "HTTP/1.1 200 OK\r\nContent-Length:"
        server.enqueue(
            LoopbackResponse.raw("\(head) 2\r\n\r\nok\(head) 4\r\n\r\nEVIL", then: .keepAlive)
                .held(by: barrier, at: .responseBody(afterBytes: 2)).held(by: end, at: .responseEnd))
        try await withTransport { transport in
            let text3 = try await transport.send(server.request()).text
            #expect(text3 == "ok")
            barrier.open()
            try await end.arrivals(atLeast: 1)
            let response = try await transport.send(server.request(method: .post))
            #expect(response.text == "good")
            #expect(response.metrics?.isConnectionReused == false)
            end.open()
            let next = try await transport.send(server.request())
            #expect(next.metrics?.isConnectionReused == true)
        }
    }

    @Test(arguments: EndlessNothing.available, [false, true])
    func `a body that decodes to nothing delays no other request and can be canceled`(
        nothing: EndlessNothing, streamsBody: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        server.enqueue(
            .duplex(headers: ["Content-Encoding": nothing.codings]) { exchange in
                try await exchange.send(nothing.first)
                while true { try await exchange.send(nothing.rest) }
            })
        try await withTransport { transport in
            let request = server.request()
            let task = Task {
                let response = try await transport.send(request, context: TransportContext(streamsBody: streamsBody))
                guard case .stream(let stream) = response.body else { return }
                for try await _ in stream {}
                try Task.checkCancellation()
            }
            try await server.wait { $0.requestCount == 1 }
            for _ in 0..<TestLength.count(4, sanitized: 20, gate: 20, whole: 20) {
                let other = try await transport.send(request)
                #expect(other.text == "ok")
            }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            try await server.wait { $0.openConnections <= 1 }
        }
    }

    @Test(arguments: [HTTPMethod.post, .put])
    func `a 417 is delivered, and the request is sent once`(method: HTTPMethod) async throws {
        // Without "Connection: close", which would prevent libcurl from resending the request.
        let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 8\r\n\r\nnot here"
        let server = try LoopbackServer { _ in .raw(refusal, then: .keepAlive).early().withholdingContinue() }
        let body = RequestBody.data(Data(count: 2_000_000))
        let request = server.request(method: method, headers: ["Expect": "100-continue"], body: body)
        let response = try await withTransport { try await $0.send(request) }
        #expect(response.statusCode == 417)
        #expect(response.text == "not here")
        #expect(server.record.requestCount == 1)
    }

    @Test(arguments: ["NetworkEngine\r\nX-Evil: 1", "a\nb", "a\0b"])
    func `a configured text that would inject headers fails before I/O`(text: String) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let error = try await withTransport({ $0.userAgent = text }) {
            #expect(throws: NetworkError.self) { [transport = $0] in try transport.validate() }
            return try await $0.failure(of: server.request())
        }
        #expect(error.kind == .invalidRequest)
        #expect(error.reason.contains("userAgent"))
        #expect(server.record.acceptedConnections == 0)
    }

    @Test func `proxy credentials with a line break fail before I/O`() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let credentials = ProxyCredentials(user: "me", password: "a\r\nX-Evil: 1")
        let error = try await withTransport({ $0.proxy = .url(server.url, credentials: credentials) }) {
            try await $0.failure(of: server.request())
        }
        #expect(error.kind == .invalidRequest)
        #expect(server.record.acceptedConnections == 0)
    }

    @Test func `a server that ends the TLS handshake is a TLS failure`() async throws {
        let server = try LoopbackServer { _ in .fault(.reset) }
        server.enqueue(LoopbackResponse.fault(.close, at: .requestStart))
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let error = try await withTransport { try await $0.failure(of: HTTPRequest(url: url)) }
        #expect(error.kind == .tls || error.kind == .connection, "\(error)")
    }
}
