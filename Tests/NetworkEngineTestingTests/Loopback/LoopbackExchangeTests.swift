import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct LoopbackExchangeTests {
    private static let expecting = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"

    @Test func `pipelined requests are answered one after the other`() throws {
        let server = try LoopbackServer { .text($0.path) }
        let client = try RawClient(server)
        try client.send(RawClient.get("/1") + RawClient.get("/2") + RawClient.get("/3", "Connection: close"))
        let answers = try client.readToEnd().components(separatedBy: "HTTP/1.1 200 OK").map { $0.suffix(2) }
        #expect(answers == ["", "/1", "/2", "/3"])
    }

    @Test func `a client that waits for 100 Continue gets it before the body`() throws {
        let server = try LoopbackServer { .text($0.text) }
        let client = try RawClient(server)
        try client.send(Self.expecting)
        #expect(try client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("body")
        #expect(try client.read(until: "body").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `a server can withhold 100 Continue`() throws {
        let server = try LoopbackServer()
        server.enqueue(.text("done").withholdingContinue().interim(102))
        let client = try RawClient(server)
        try client.send(Self.expecting)
        try client.send("body")
        #expect(try client.read(until: "done").hasPrefix("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }

    @Test func `an early answer arrives although the body was never read`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(413).early())
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
        // Fails if the server has closed the connection: the response must arrive nevertheless.
        try? client.send([UInt8](repeating: 65, count: 4_000_000))
        #expect(
            try client.readToEnd() == "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        #expect(try await server.requests(atLeast: 1).map(\.isComplete) == [false])
    }

    @Test func `an early handler decides by the head`() throws {
        let early: @Sendable (LoopbackRequest) -> LoopbackResponse? = { $0.path == "/no" ? .status(403).early() : nil }
        let server = try LoopbackServer(early: early, handler: { .text($0.text) })
        let client = try RawClient(server)
        try client.send("POST /yes HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
        #expect(try client.read(until: "body").hasPrefix("HTTP/1.1 200 OK\r\n"))
        try client.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
    }

    @Test func `a stale connection is closed when the next request comes on it`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.text("one").ending(.closeOnNextRequest), .text("two"))
        let client = try RawClient(server)
        try client.send(RawClient.get("/1"))
        _ = try client.read(until: "one")
        #expect(server.openConnections == 1)
        try client.send(RawClient.get("/2"))
        #expect(try client.read() == nil)
        #expect(server.requests.map(\.path) == ["/1"] && server.queuedResponseCount == 1)
    }

    @Test func `an uploaded body is counted and digested beyond its kept part`() async throws {
        var configuration = LoopbackConfiguration()
        configuration.bodyRecordingLimit = 1000
        let server = try LoopbackServer(configuration) { _ in .status(200) }
        let body = Array(Data.sample(70_001))
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70001\r\nConnection: close\r\n\r\n")
        try client.send(body)
        _ = try client.readToEnd()
        let request = try #require(server.requests.first)
        #expect(request.body == Data(body.prefix(1000)) && request.bodyCount == 70_001 && request.isComplete)
        #expect(server.record.bodyByteCount == 70_001)
        var digest = SHA256()
        body.withUnsafeBytes { digest.update($0) }
        #expect(request.bodyDigest == digest.hexadecimal)
    }

    @Test func `a body above the limit is refused`() throws {
        var configuration = LoopbackConfiguration()
        configuration.bodyLimit = 3
        let server = try LoopbackServer(configuration) { _ in .status(200) }
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 413 "))
        #expect(server.record.refusals == ["the body is larger than 3 bytes"])
    }

    @Test func `malformed requests are answered, explained, and recorded as refusals`() throws {
        let server = try LoopbackServer { _ in .status(200) }
        let client = try RawClient(server)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readToEnd().hasSuffix("0 Host fields\n"))
        #expect(server.record.refusals == ["0 Host fields"] && server.requests.isEmpty)
    }

    @Test func `delays, drips and throttles take their time`() throws {
        let server = try LoopbackServer()
        let slow = LoopbackResponse.text("0123456789").dripped(bytes: 5, every: .milliseconds(15))
        server.enqueue(slow.delayed(by: .milliseconds(30)), .text("0123456789").throttled(bytesPerSecond: 200))
        let client = try RawClient(server)
        for _ in 1...2 {
            let start = ContinuousClock.now
            try client.send(RawClient.get())
            _ = try client.read(until: "9")
            #expect(start.duration(to: .now) >= .milliseconds(44))
        }
    }

    @Test func `a body can be read slowly`() throws {
        let server = try LoopbackServer()
        server.enqueue(.text("done").readingBody(bytesPerSecond: 100))
        let client = try RawClient(server)
        let start = ContinuousClock.now
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
        _ = try client.read(until: "done")
        #expect(start.duration(to: .now) >= .milliseconds(39))
    }

    @Test func `an endless body ends when the client goes`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.endless())
        var client: RawClient? = try RawClient(server)
        try client?.send(RawClient.get())
        for _ in 0..<100 { _ = try client?.read() }
        client = nil
        try await server.wait { $0.acceptedConnections == 1 && $0.openConnections == 0 }
    }

    @Test func `a client that half-closes counts as closed by default`() async throws {
        for serves in [false, true] {
            var configuration = LoopbackConfiguration()
            configuration.servesHalfClosedClients = serves
            let server = try LoopbackServer(configuration)
            let gate = LoopbackBarrier()
            server.enqueue(.text("hello").held(by: gate))
            let client = try RawClient(server)
            try client.send(RawClient.get())
            try await gate.arrivals(atLeast: 1)
            client.finishSending()
            if serves { gate.open() }
            #expect(try client.readToEnd().hasSuffix("hello") == serves)
        }
    }
}
