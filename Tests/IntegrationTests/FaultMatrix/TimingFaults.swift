import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Exchanges that take too long.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TimingFaults {
    static let anyPhase: [FaultEnding] = [
        .fails(.timeout(.response)), .fails(.timeout(.body)), .fails(.timeout(.attempt)),
    ]
    private static let timeUp = FaultExpectation(anyPhase)
    /// Long enough for the request to reach the server on a busy machine.
    private static let inTime = Duration.seconds(2)
    private static let short: @Sendable (inout NetworkConfiguration) -> Void = { $0.timeout = .milliseconds(300) }

    static let cases = [
        FaultCase(
            "a byte every 20 ms, and a deadline",
            .endless("x").dripped(bytes: 1, every: .milliseconds(20)),
            expecting: .ends(.fails(.timeout(.deadline)))
        ).configured { $0.deadline = inTime },
        FaultCase(
            "a byte every 20 ms, for longer than the timeout",
            .text(String(repeating: "x", count: 125)).dripped(bytes: 1, every: .milliseconds(20)),
            expecting: .ends(.ok(String(repeating: "x", count: 125)))
        ).configured { $0.timeout = .seconds(2) },
        FaultCase(
            "a head byte by byte",
            .text("hello").header("X-Long", String(repeating: "x", count: 40_000))
                .dripped(bytes: 1, every: .milliseconds(10), includingHead: true),
            expecting: .ends(.fails(.timeout(.deadline)))
        ).configured { $0.deadline = inTime },
        FaultCase("an upload that the server does not read", .fault(.stall, at: .requestHead), expecting: timeUp)
            .asking(.post, body: .data(Data(count: 16_000_000))).configured { $0.timeout = inTime },
    ]

    @Test(arguments: cases, Wire.all)
    func `an endless exchange is ended in time`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }

    @Test(arguments: Wire.all)
    func `a request to a silent host ends in time`(wire: Wire) async throws {
        let hole = try BlackHole()
        try await wire.withTransport { transport in
            let engine = RequestEngine.over(transport, Self.short)
            let start = ContinuousClock.now
            let (ending, _) = await engine.ending(of: HTTPRequest(url: hole.url))
            #expect(([.fails(.timeout(.connect)), .fails(.connect)] + Self.anyPhase).contains(ending))
            #expect((.milliseconds(300) ... .seconds(8)).contains(ContinuousClock.now - start))
        }
    }
}
