import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// Invalid responses, missing ones, and responses without a body.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReplyFaults {
    static let lost = [
        FaultCase(17, "an empty reply", .fault(.close), expecting: .ends(.fails(.lostBeforeResponse))),
        FaultCase(
            17, "an empty reply to a connection", .fault(.close, at: .connect),
            expecting: .ends(.fails(.lostBeforeResponse)).hits(0)
        ),
        FaultCase(
            17, "the end inside the head",
            .text("hello").fault(.close, at: .responseHead(afterBytes: 25)),
            expecting: .ends(.fails(.lostBeforeResponse))
        ),
        FaultCase(
            17, "the end inside a head behind its length",
            raw: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A",
            expecting: .ends(.fails(.lostBeforeResponse))
        ),
        FaultCase(18, "a reset", .fault(.reset), expecting: .ends(.fails(.lostBeforeResponse))),
        FaultCase(
            18, "a reset inside the head",
            .text("hello").fault(.reset, at: .responseHead(afterBytes: 20)),
            expecting: .ends(.fails(.lostBeforeResponse))
        ),
        FaultCase(
            19, "garbage", raw: "\u{1}\u{2}garbage garbage\r\n\r\n", expecting: .ends(.fails(.protocolViolation))),
        FaultCase(20, "HTTP/0.9", raw: "<html>hello</html>\n", expecting: .ends(.fails(.protocolViolation))),
    ]

    private static func head(_ line: String) -> LoopbackResponse {
        .raw("\(line)\r\nContent-Length: 5\r\n\r\nhello", then: .keepAlive)
    }

    static let statuses = [
        FaultCase(21, "a status in letters", head("HTTP/1.1 abc OK"), expecting: .ends(.fails(.protocolViolation))),
        FaultCase(
            21, "a status of four digits", head("HTTP/1.1 1000 OK"), expecting: .ends(.fails(.protocolViolation))),
        FaultCase(21, "a status below 100", head("HTTP/1.1 099 OK"), expecting: .ends(.fails(.protocolViolation))),
        FaultCase(
            22, "status 999", .text("hello", status: 999), expecting: .ends(.response(999, "hello")).reuses(true)),
        FaultCase(23, "no reason", head("HTTP/1.1 200"), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase(23, "an empty reason", head("HTTP/1.1 200 "), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase(23, "digits as reason", head("HTTP/1.1 200 200"), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase(24, "HTTP/1.0", head("HTTP/1.0 200 OK"), expecting: .ends(.ok("hello")).reuses(false)),
        FaultCase(
            24, "HTTP/1.0 without a length",
            raw: "HTTP/1.0 200 OK\r\n\r\nhello",
            expecting: .ends(.ok("hello")).reuses(false)
        ),
    ]

    static let bodiless = [
        FaultCase(
            25, "204 with a body",
            .raw("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", then: .keepAlive),
            expecting: .ends(.response(204, ""))
        ),
        // By RFC 9112 6.3 its length counts, by RFC 9110 15.3.6 there is none.
        FaultCase(
            25, "205 with a body",
            .raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 5\r\n\r\nhello", then: .keepAlive),
            expecting: .ends(.response(205, ""), .response(205, "hello"))
        ),
        FaultCase(
            25, "304 with a length",
            .raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", then: .keepAlive),
            expecting: .ends(.response(304, "")).reuses(true)
        ),
        FaultCase(26, "HEAD with a length", .text("hello"), expecting: .ends(.ok("")).reuses(true)).asking(.head),
        FaultCase(26, "HEAD with a body", head("HTTP/1.1 200 OK"), expecting: .ends(.ok(""))).asking(.head),
        FaultCase(26, "HEAD with gzip", .text("hello").gzipped(), expecting: .ends(.ok("")).reuses(true)).asking(.head),
        FaultCase(26, "HEAD with chunks", .text("hello").chunked(), expecting: .ends(.ok("")).reuses(true))
            .asking(.head),
    ]

    @Test(arguments: lost + statuses + bodiless, Wire.all)
    func `2.1: a reply is one by the rules, or an error`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }

    @Test(arguments: Wire.all)
    func `27: no bytes where JSON is expected have an error of their own`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .json("") }
        try await wire.withTransport { transport in
            let engine = RequestEngine.over(transport)
            let error = await #expect(throws: NetworkError.self) {
                try await engine.value(of: server.request(), CallOptions(), decoding: ResponseDecoding<User>.json)
            }
            #expect(error?.kind == .emptyBody)
        }
    }
}
