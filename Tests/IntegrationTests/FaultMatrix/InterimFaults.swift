import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Interim responses, and their purpose.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InterimFaults {
    private static let large = RequestBody.data(Data(repeating: 1, count: 4_000_000))
    private static let small = RequestBody.data(Data("abc".utf8))

    static let ahead = [
        FaultCase("one 100", .text("hello").interim(100), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase("fifty 100", .text("hello").interim(100, times: 50), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase("102", .text("hello").interim(102, times: 3), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase(
            "103 with a link",
            .text("hello").interim(103, headers: ["Link": "</a>"]),
            expecting: .ends(.ok("hello no link")).reuses(true)
        ).telling { "\($0.text) \($0.headers["Link"] ?? "no link")" },
        FaultCase(
            "101 that nobody asked for",
            raw: "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
            expecting: .ends(.fails(.protocolViolation))
        ),
        FaultCase(
            "100 and no more", raw: "HTTP/1.1 100 Continue\r\n\r\n", expecting: .ends(.fails(.lostBeforeResponse))),
    ]

    static let expectations = [
        FaultCase(
            "100-continue never answered",
            .text("hello").withholdingContinue(),
            expecting: .ends(.ok("hello")).within(.seconds(6))
        ).asking(.post, headers: ["Expect": "100-continue"], body: small),
        FaultCase(
            "413 before 4 MB are sent",
            .text("too large", status: 413).early(),
            expecting: .ends(.response(413, "too large")).reuses(false)
        ).asking(.post, body: large),
        FaultCase(
            "a reset before 4 MB are sent",
            .fault(.reset, at: .requestHead),
            expecting: .ends(.fails(.lostBeforeResponse))
        ).asking(.post, body: large),
        FaultCase(
            "a reset in the middle of 4 MB",
            .fault(.reset, at: .requestBody(afterBytes: 100_000)),
            expecting: .ends(.fails(.lostBeforeResponse))
        ).asking(.post, body: large),
    ]

    @Test(arguments: ahead + expectations, Wire.all)
    func `interim responses are ignored`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }
}
