import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Where a body starts and ends.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FramingFaults {
    static let lengths = [
        FaultCase(
            "10 of 100 bytes, then the end",
            .text("0123456789").declaringLength("100").ending(.close),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase(
            "10 of 100 bytes, then a reset",
            .text("0123456789").declaringLength("100").fault(.reset, at: .responseBody(afterBytes: 10)),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase(
            "more bytes than announced",
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more", then: .keepAlive),
            expecting: .ends(.ok("hello")).reuses(false)
        ),
        FaultCase(
            "no length, the end", .text("hello").closeDelimited(), expecting: .ends(.ok("hello")).reuses(false)),
        FaultCase(
            "no length, a reset",
            .text("hello").closeDelimited().fault(.reset, at: .responseBody(afterBytes: 2)),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase(
            "a length beside chunks",
            .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                then: .keepAlive
            ),
            expecting: .ends(.ok("ok"), .fails(.protocolViolation)).reuses(false)
        ),
        FaultCase(
            "two different lengths",
            .text("hello").declaringLength("5", "3"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "the same length twice", .text("hello").declaringLength("5", "5"), expecting: .ends(.ok("hello"))),
        FaultCase(
            "a list of equal lengths", .text("hello").declaringLength("5, 5"), expecting: .ends(.ok("hello"))),
        FaultCase(
            "a negative length",
            .text("hello").declaringLength("-5").ending(.close),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "a length that is no number",
            .text("hello").declaringLength("NaN").ending(.close),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "a length above 2^64",
            .text("hello").declaringLength("99999999999999999999").ending(.close),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "a length near 2^63",
            .text("hello").declaringLength("9223372036854775807").ending(.close),
            expecting: .ends(.fails(.limitExceeded))
        ),
    ]

    private static func chunks(_ text: String) -> LoopbackResponse {
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
    }

    static let chunked = [
        FaultCase(
            "chunks and packets of one byte",
            .text("hello").chunked(size: 1).dripped(includingHead: true),
            expecting: .ends(.ok("hello")).reuses(true)
        ),
        FaultCase(
            "the end inside a chunk",
            .text("hello").chunked(size: 5).fault(.close, at: .responseBody(afterBytes: 2)),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase("no last chunk", chunks("5\r\nhello\r\n"), expecting: .ends(.fails(.lostMidBody))),
        FaultCase(
            "a chunk size that is no number",
            chunks("zz\r\nhello\r\n0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "a negative chunk size",
            chunks("-5\r\nhello\r\n0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "a chunk size of 17 digits",
            chunks("10000000000000005\r\nhello\r\n0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "a chunk that does not end with a line break",
            chunks("5\r\nhelloXX0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "chunk extensions",
            chunks("5;name=value;other=\"q\"\r\nhello\r\n0;last\r\n\r\n"),
            expecting: .ends(.ok("hello"))
        ),
        FaultCase(
            "trailers",
            .text("hello").trailers(["X-Digest": "1"]),
            expecting: .ends(.ok("hello")).reuses(true)
        ),
    ]

    @Test(arguments: lengths + chunked, Wire.all)
    func `a body arrives as it was sent or fails`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }
}
