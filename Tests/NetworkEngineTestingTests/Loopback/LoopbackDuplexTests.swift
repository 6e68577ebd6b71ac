import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct LoopbackDuplexTests {
    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"

    private func echo(trailers: HTTPHeaders = [:]) -> LoopbackResponse {
        .duplex { exchange in
            for try await piece in exchange.received { try await exchange.send(piece) }
            try await exchange.finish(trailers: trailers)
        }
    }

    private func received(_ response: LoopbackResponse, _ request: String) async throws -> String {
        let server = try LoopbackServer()
        server.enqueue(response)
        let client = try RawClient(server)
        try client.send(request)
        return try await RawClient.beside { try client.readToEnd() }
    }

    @Test func `the pieces of a body are answered, and fields follow`() async throws {
        let request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let body = "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX: 1\r\n\r\n"
        let text = try await received(echo(trailers: ["X-Sum": "5"]), request + body)
        #expect(text == Self.head + "3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n")
    }

    @Test func `a body with a length and no body at all are read, too`() async throws {
        let length = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
        #expect(try await received(echo(), length) == Self.head + "3\r\nabc\r\n0\r\n\r\n")
        #expect(try await received(echo(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n") == Self.head + "0\r\n\r\n")
    }

    @Test func `a response that is made after the request has its whole body`() async throws {
        let response = echo()
        let server = try LoopbackServer { _ in response }
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
        let text = try await RawClient.beside { try client.readToEnd() }
        #expect(text == Self.head + "3\r\nabc\r\n0\r\n\r\n")
    }

    @Test func `a closure that throws cuts the body off`() async throws {
        let response = LoopbackResponse.duplex { exchange in
            try await exchange.send(Data("abc".utf8))
            throw CancellationError()
        }
        let text = try await received(response, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(text == Self.head + "3\r\nabc\r\n")
    }

    @Test(arguments: ["zz\r\n", "1\r\nab\r\n", "5\r\nab"])
    func `a body that is malformed or cut off throws`(body: String) async throws {
        let failed = OneShot<Bool>()
        let server = try LoopbackServer()
        server.enqueue(
            .duplex { exchange in
                do {
                    for try await _ in exchange.received {}
                    failed.settle(false)
                } catch {
                    failed.settle(true)
                }
            })
        do {
            let client = try RawClient(server)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
        }
        #expect(try await failed.wait())
    }

    @Test func `a server that stops cancels the closure`() async throws {
        let (started, ended) = (OneShot<Void>(), OneShot<Bool>())
        let server = try LoopbackServer()
        server.enqueue(
            .duplex { exchange in
                started.settle(())
                do { for try await _ in exchange.received {} } catch {}
                ended.settle(Task.isCancelled)
            })
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        try await started.wait()
        server.stop()
        #expect(try await ended.wait())
    }
}
