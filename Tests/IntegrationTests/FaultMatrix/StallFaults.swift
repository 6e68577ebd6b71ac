import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Run in parallel, because each takes its time.
@Suite(.timeLimit(.minutes(5))) struct StallFaults {
    @Test(
        arguments: [.responseStart, .responseHead(afterBytes: 12), .responseBody(afterBytes: 2)] as [LoopbackPoint],
        Wire.distinct
    )
    func `a stalled exchange ends at its timeout, also at fractions of a second`(point: LoopbackPoint, wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackResponse.text("hello").fault(.stall, at: point) }
        try await wire.withTransport { transport in
            for timeout in [Duration.milliseconds(250), .milliseconds(1_900)] {
                let engine = RequestEngine.over(transport) { $0.timeout = timeout }
                // On a busy machine a thread may be late, but not every time, and never early.
                var isOnTime = false
                for _ in 0..<(ThreadSanitizer.isWatching ? 1 : 10) where !isOnTime {
                    let start = ContinuousClock.now
                    let (ending, _) = await engine.ending(of: server.request())
                    let took = ContinuousClock.now - start
                    #expect(TimingFaults.anyPhase.contains(ending))
                    #expect(took >= timeout)
                    isOnTime = took <= timeout * 1.1 + .milliseconds(200)
                }
                #expect(isOnTime || ThreadSanitizer.isWatching, "\(timeout)")
            }
        }
    }
}
