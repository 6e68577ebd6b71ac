import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Opening, keeping and losing a connection.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConnectionFaults {
    private static let closedPort = ClosedPort()
    private static let body = RequestBody.data(Data("abc".utf8))

    private static func elsewhere(_ address: String) -> @Sendable (LoopbackServer) -> HTTPRequest {
        { server in HTTPRequest(url: URL(string: address) ?? server.url) }
    }

    static let connecting = [
        FaultCase("a refused connection", expecting: .ends(.fails(.connect)).hits(0))
            .asking(elsewhere("http://127.0.0.1:\(closedPort.number)/")),
        FaultCase("a refused connection for a request with a body", expecting: .ends(.fails(.connect)).hits(0))
            .asking { HTTPRequest(method: .post, url: closedPort.url ?? $0.url, body: body) },
        FaultCase("a host name that does not resolve", expecting: .ends(.fails(.dns)).hits(0))
            .asking(elsewhere("http://nowhere.invalid/")),
        FaultCase(
            "a close that the server announces", .text("hello").ending(.close),
            expecting: .ends(.ok("hello")).reuses(false)
        ),
        FaultCase(
            "a close that the server does not announce", .text("hello").ending(.closeSilently),
            expecting: .ends(.ok("hello"))),
        FaultCase("Connection: close in the request", expecting: .ends(.failsAs(.invalidRequest)).hits(0))
            .asking(headers: ["Connection": "close"]),
        FaultCase(
            "a half-close inside the body",
            .text("hello").fault(.halfClose, at: .responseBody(afterBytes: 2)),
            expecting: .ends(.fails(.lostMidBody))
        ),
    ]

    /// The server closes a used connection just as the request arrives.
    private static func stale(_ method: HTTPMethod, _ what: String, _ body: RequestBody = .absent) -> FaultCase {
        // A request that may be resent may also be lost; one that may not is sent once, on this or another connection.
        let repeated: FaultExpectation = .ends(.ok("again"), .fails(.lostBeforeResponse)).hits(1...2)
        let once: FaultExpectation = .ends(.ok("again"), .fails(.lostBeforeResponse)).hits(1)
        return FaultCase("\(what) on a stale connection", expecting: method.isIdempotent ? repeated : once)
            .asking(method, body: body).warmed(by: .text("warm").ending(.closeOnNextRequest))
            .serving { _ in .text("again") }
    }

    /// The server reads the request on a used connection, and then closes it.
    private static func lost(
        _ fault: LoopbackFault,
        _ method: HTTPMethod,
        _ what: String,
        _ body: RequestBody = .absent
    ) -> FaultCase {
        let repeated: FaultExpectation = .ends(.ok("again"), .fails(.lostBeforeResponse)).hits(1...2)
        let once: FaultExpectation = .ends(.fails(.lostBeforeResponse)).hits(1)
        let name = "\(what) read, then \(fault == .reset ? "reset" : "closed")"
        return FaultCase(name, .fault(fault), expecting: method.isIdempotent ? repeated : once)
            .asking(method, body: body).warmed(by: .text("warm"))
            .serving { _ in .text("again") }
    }

    static let reusing = [
        stale(.get, "GET"), stale(.put, "PUT", body), stale(.post, "an empty POST"), stale(.post, "a POST", body),
        lost(.close, .get, "GET"), lost(.close, .post, "an empty POST"), lost(.close, .post, "a POST", body),
        lost(.reset, .get, "GET"), lost(.reset, .post, "an empty POST"), lost(.reset, .post, "a POST", body),
    ]

    static let shaped = [
        FaultCase(
            "low bandwidth", .data(Data(count: 50_000)).throttled(bytesPerSecond: 500_000),
            expecting: .ends(.ok("50000"))
        ).telling { "\($0.data.count)" },
        FaultCase(
            "latency and jitter",
            .text("hello").delayed(by: .milliseconds(40)).delayed(
                by: .milliseconds(7), at: .responseHead(afterBytes: 9)
            )
            .delayed(by: .milliseconds(23), at: .responseBody(afterBytes: 0))
            .delayed(by: .milliseconds(3), at: .responseBody(afterBytes: 2)),
            expecting: .ends(.ok("hello")).reuses(true)
        ),
        FaultCase(
            "a response in slices of seven bytes",
            .text("hello").dripped(bytes: 7, every: .milliseconds(1), includingHead: true),
            expecting: .ends(.ok("hello")).reuses(true)
        ),
        FaultCase(
            "a server that closes slowly",
            .text("hello").header("Connection", "close").fault(.stall, at: .responseEnd),
            expecting: .ends(.ok("hello")).reuses(false)
        ),
        FaultCase(
            "an upload read slowly",
            .text("hello").readingBody(bytesPerSecond: 4_000_000),
            expecting: .ends(.ok("hello"))
        ).asking(.post, body: .data(Data(count: 400_000))),
    ]

    @Test(arguments: connecting + reusing + shaped, Wire.all)
    func `a failed connection is distinguished from a lost connection`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }

    @Test(arguments: Wire.all)
    func `a hundred concurrent requests to one host all finish within their timeouts`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in LoopbackResponse.text("x").delayed(by: .milliseconds(60)) }
        try await wire.withTransport(connections: 3) { transport in
            // Some would exceed it while queued: 100 × 60 ms over three connections.
            let engine = RequestEngine.over(transport) { $0.timeout = .milliseconds(1_500) }
            let endings = await withTaskGroup(of: FaultEnding.self) { group in
                for _ in 0..<100 { group.addTask { await engine.ending(of: server.request()).ending } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(endings == [.ok("x")])
        }
        #expect(server.requests.count == 100)
        #expect(server.acceptedConnections <= 3)
    }
}
