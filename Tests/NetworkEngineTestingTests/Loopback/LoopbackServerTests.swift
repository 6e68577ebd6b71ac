import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct LoopbackServerTests {
    @Test func `answers come from the queue in the order of the requests`() throws {
        let server = try LoopbackServer()
        server.enqueue(.status(503), .json("{}"))
        let client = try RawClient(server)
        try client.send(RawClient.get("/a"))
        #expect(try client.read(until: "\r\n\r\n") == "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
        try client.send(RawClient.get("/b"))
        #expect(try client.read(until: "{}").contains("Content-Type: application/json\r\nContent-Length: 2\r\n"))
        #expect(server.requests.map(\.target) == ["/a", "/b"])
        #expect(server.requests.map(\.exchange) == [0, 1])
        #expect(server.queuedResponseCount == 0)
    }

    @Test func `a handler answers when the queue is empty`() throws {
        let server = try LoopbackServer { .text($0.method.rawValue + $0.path + "?" + ($0.query ?? "") + $0.text) }
        let client = try RawClient(server)
        try client.send("POST /p?q=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
        #expect(try client.read(until: "body").hasSuffix("\r\n\r\nPOST/p?q=1body"))
    }

    @Test func `an asynchronous handler may wait`() async throws {
        let gate = LoopbackBarrier()
        let server = try LoopbackServer(asyncHandler: { _ in
            try? await gate.arrivals(atLeast: 0)
            await Task.yield()
            return .text("late")
        })
        let answer = try await RawClient.beside {
            let client = try RawClient(server)
            try client.send(RawClient.get())
            return try client.read(until: "late")
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `an unexpected request is answered with an explanation`() throws {
        let server = try LoopbackServer()
        let client = try RawClient(server)
        try client.send(RawClient.get("/x", "Connection: close"))
        let answer = try client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n") && answer.contains("GET /x"))
    }

    @Test func `heads are recorded byte for byte, with the connection they came on`() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let clients = [try RawClient(server), try RawClient(server)]
        let head = "GET /%7e?b=%20&a HTTP/1.1\r\nhOsT:  t \r\nX-A: 1\r\nx-a: 2\r\n\r\n"
        for client in clients {
            try client.send(head)
            _ = try client.read(until: "\r\n\r\n")
        }
        let requests = try await server.requests(atLeast: 2)
        #expect(requests.map(\.head) == [Data(head.utf8), Data(head.utf8)])
        #expect(Set(requests.map(\.connection)) == [0, 1])
        #expect(requests[0].headers["X-A"] == "1, 2" && requests[0].headers["host"] == "t")
    }

    @Test func `stop() releases the port and ends the connections`() async throws {
        let server = try LoopbackServer { _ in .status(200) }
        let client = try RawClient(server)
        try client.send(RawClient.get())
        _ = try client.read(until: "\r\n\r\n")
        server.stop()
        server.stop()
        #expect(try client.read() == nil)
        #expect(throws: RawClient.Failure.connect(ECONNREFUSED)) { try RawClient(port: server.port) }
        #expect(server.openConnections == 0 && server.record.isStopped)
    }

    @Test func `releasing a server stops it`() throws {
        var server: LoopbackServer? = try LoopbackServer()
        let port = try #require(server?.port)
        server = nil
        #expect(throws: RawClient.Failure.connect(ECONNREFUSED)) { try RawClient(port: port) }
    }

    @Test func `a server listens on either loopback address`() throws {
        let server = try LoopbackServer()
        #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)")
        var configuration = LoopbackConfiguration()
        configuration.address = .ipv6
        guard let other = try? LoopbackServer(configuration, handler: { _ in .text("six") }) else {
            return print("skipped: there is no ::1 here")
        }
        #expect(other.url.absoluteString == "http://[::1]:\(other.port)")
        let client = try RawClient(port: other.port, family: AF_INET6)
        try client.send(RawClient.get())
        #expect(try client.read(until: "six").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `the answer to HEAD has the head of GET and nothing else`() throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let client = try RawClient(server)
        try client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try client.readToEnd().hasSuffix("Content-Length: 5\r\nConnection: close\r\n\r\n"))
    }

    @Test func `a bomb is served like any other body`() throws {
        let server = try LoopbackServer()
        server.enqueue(.gzipBomb().ending(.close))
        let client = try RawClient(server)
        try client.send(RawClient.get())
        let bytes = try client.readBytesToEnd()
        #expect(
            bytes.count < 70_000 && String(decoding: bytes.prefix(200), as: UTF8.self).contains("Encoding: gzip\r\n"))
    }
}
