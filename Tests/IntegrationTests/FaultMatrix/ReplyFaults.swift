import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Invalid responses, missing ones, and responses without a body.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReplyFaults {
    static let lost = [
        FaultCase("an empty reply", .fault(.close), expecting: .ends(.fails(.lostBeforeResponse))),
        FaultCase(
            "an empty reply to a connection", .fault(.close, at: .connect),
            expecting: .ends(.fails(.lostBeforeResponse)).hits(0)
        ),
        FaultCase(
            "the end inside the head",
            .text("hello").fault(.close, at: .responseHead(afterBytes: 25)),
            expecting: .ends(.fails(.lostBeforeResponse))
        ),
        FaultCase(
            "the end inside a head behind its length",
            raw: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A",
            expecting: .ends(.fails(.lostBeforeResponse))
        ),
        FaultCase("a reset", .fault(.reset), expecting: .ends(.fails(.lostBeforeResponse))),
        FaultCase(
            "a reset inside the head",
            .text("hello").fault(.reset, at: .responseHead(afterBytes: 20)),
            expecting: .ends(.fails(.lostBeforeResponse))
        ),
        FaultCase(
            "garbage", raw: "\u{1}\u{2}garbage garbage\r\n\r\n", expecting: .ends(.fails(.protocolViolation))),
        FaultCase("HTTP/0.9", raw: "<html>hello</html>\n", expecting: .ends(.fails(.protocolViolation))),
    ]

    private static func head(_ line: String) -> LoopbackResponse {
        .raw("\(line)\r\nContent-Length: 5\r\n\r\nhello", then: .keepAlive)
    }

    static let statuses = [
        FaultCase("a status in letters", head("HTTP/1.1 abc OK"), expecting: .ends(.fails(.protocolViolation))),
        FaultCase(
            "a status of four digits", head("HTTP/1.1 1000 OK"), expecting: .ends(.fails(.protocolViolation))),
        FaultCase("a status below 100", head("HTTP/1.1 099 OK"), expecting: .ends(.fails(.protocolViolation))),
        FaultCase(
            "status 999", .text("hello", status: 999), expecting: .ends(.response(999, "hello")).reuses(true)),
        FaultCase(
            "a protocol in other letters", head("Http/1.1 200 OK"), expecting: .ends(.fails(.protocolViolation))),
        FaultCase("no reason", head("HTTP/1.1 200"), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase("an empty reason", head("HTTP/1.1 200 "), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase("digits as reason", head("HTTP/1.1 200 200"), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase("HTTP/1.0", head("HTTP/1.0 200 OK"), expecting: .ends(.ok("hello")).reuses(false)),
        FaultCase(
            "HTTP/1.0 without a length",
            raw: "HTTP/1.0 200 OK\r\n\r\nhello",
            expecting: .ends(.ok("hello")).reuses(false)
        ),
    ]

    static let bodiless = [
        FaultCase(
            "204 with a body",
            .raw("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", then: .keepAlive),
            expecting: .ends(.response(204, ""))
        ),
        // According to RFC 9112 6.3 its length counts; according to RFC 9110 15.3.6 there is none.
        FaultCase(
            "205 with a body",
            .raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 5\r\n\r\nhello", then: .keepAlive),
            expecting: .ends(.response(205, ""), .response(205, "hello"))
        ),
        FaultCase(
            "304 with a length",
            .raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", then: .keepAlive),
            expecting: .ends(.response(304, "")).reuses(true)
        ),
        FaultCase("HEAD with a length", .text("hello"), expecting: .ends(.ok("")).reuses(true)).asking(.head),
        FaultCase("HEAD with a body", head("HTTP/1.1 200 OK"), expecting: .ends(.ok(""))).asking(.head),
        FaultCase("HEAD with gzip", .text("hello").gzipped(), expecting: .ends(.ok("")).reuses(true)).asking(.head),
        FaultCase("HEAD with chunks", .text("hello").chunked(), expecting: .ends(.ok("")).reuses(true))
            .asking(.head),
    ]

    @Test(arguments: lost + statuses + bodiless, Wire.all)
    func `a reply is read by the rules of HTTP or fails`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }

    @Test(arguments: Wire.all)
    func `an empty body where JSON is expected fails with an error for that`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .json("") }
        try await wire.withTransport { transport in
            let engine = RequestEngine.over(transport)
            let error = await #expect(throws: NetworkError.self) {
                try await engine.value(of: server.request(), engine.options(), decoding: ResponseDecoding<User>.json)
            }
            #expect(error?.kind == .emptyBody)
        }
    }
}
