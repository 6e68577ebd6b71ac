import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// Where a body begins and ends.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FramingFaults {
    static let lengths = [
        FaultCase(
            1, "10 of 100 bytes, then the end",
            .text("0123456789").declaringLength("100").ending(.close),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase(
            2, "10 of 100 bytes, then a reset",
            .text("0123456789").declaringLength("100").fault(.reset, at: .responseBody(afterBytes: 10)),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase(
            3, "more bytes than announced",
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more", then: .keepAlive),
            expecting: .ends(.ok("hello")).reuses(false)
        ),
        FaultCase(
            4, "no length, the end", .text("hello").closeDelimited(), expecting: .ends(.ok("hello")).reuses(false)),
        FaultCase(
            5, "no length, a reset",
            .text("hello").closeDelimited().fault(.reset, at: .responseBody(afterBytes: 2)),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase(
            13, "a length beside chunks",
            .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                then: .keepAlive
            ),
            expecting: .ends(.ok("ok"), .fails(.protocolViolation)).reuses(false)
        ),
        FaultCase(
            14, "two different lengths",
            .text("hello").declaringLength("5", "3"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            15, "the same length twice", .text("hello").declaringLength("5", "5"), expecting: .ends(.ok("hello"))),
        FaultCase(
            15, "a list of equal lengths", .text("hello").declaringLength("5, 5"), expecting: .ends(.ok("hello"))),
        FaultCase(
            16, "a negative length",
            .text("hello").declaringLength("-5").ending(.close),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            16, "a length that is no number",
            .text("hello").declaringLength("NaN").ending(.close),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            16, "a length above 2^64",
            .text("hello").declaringLength("99999999999999999999").ending(.close),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            16, "a length near 2^63",
            .text("hello").declaringLength("9223372036854775807").ending(.close),
            expecting: .ends(.fails(.limitExceeded))
        ),
    ]

    private static func chunks(_ text: String) -> LoopbackResponse {
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
    }

    static let chunked = [
        FaultCase(
            6, "chunks and packets of one byte",
            .text("hello").chunked(size: 1).dripped(includingHead: true),
            expecting: .ends(.ok("hello")).reuses(true)
        ),
        FaultCase(
            7, "the end inside a chunk",
            .text("hello").chunked(size: 5).fault(.close, at: .responseBody(afterBytes: 2)),
            expecting: .ends(.fails(.lostMidBody))
        ),
        FaultCase(8, "no last chunk", chunks("5\r\nhello\r\n"), expecting: .ends(.fails(.lostMidBody))),
        FaultCase(
            9, "a chunk size that is no number",
            chunks("zz\r\nhello\r\n0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            9, "a negative chunk size",
            chunks("-5\r\nhello\r\n0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            9, "a chunk size of 17 digits",
            chunks("10000000000000005\r\nhello\r\n0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            10, "a chunk that does not end with a line break",
            chunks("5\r\nhelloXX0\r\n\r\n"),
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            11, "chunk extensions",
            chunks("5;name=value;other=\"q\"\r\nhello\r\n0;last\r\n\r\n"),
            expecting: .ends(.ok("hello"))
        ),
        FaultCase(
            12, "trailers",
            .text("hello").trailers(["X-Digest": "1"]),
            expecting: .ends(.ok("hello")).reuses(true)
        ),
    ]

    @Test(arguments: lengths + chunked, Wire.all)
    func `2.1: a body is the one that was sent, or an error`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }
}
