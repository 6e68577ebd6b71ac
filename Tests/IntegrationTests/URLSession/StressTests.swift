import Foundation
import Testing

/// In a process of its own: a crash is a failed test then, and nobody else opens descriptors.
///
/// 2,000 exchanges; 100,000 with `NETWORKENGINE_LONG`, any other number with `NETWORKENGINE_STRESS=10000`.
@Suite(.timeLimit(.minutes(10))) struct URLSessionStressTests {
    @Test func `mixed exchanges, a third cancelled: no crash, hang, wrong body, file or descriptor left`() async {
        await #expect(processExitsWith: .success) {
            let environment = ProcessInfo.processInfo.environment
            let usual = environment["NETWORKENGINE_LONG"] == nil ? 2_000 : 100_000
            let count = environment["NETWORKENGINE_STRESS"].flatMap(Int.init) ?? usual
            try await StressRun.run(count: count, seed: 3)
        }
    }
}
