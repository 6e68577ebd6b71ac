import Foundation
import Testing

/// In a process of its own: a crash is a failed test then, and nobody else opens descriptors.
@Suite(.timeLimit(.minutes(10))) struct URLSessionStressTests {
    @Test func `mixed exchanges, a third cancelled: no crash, hang, wrong body, file or descriptor left`() async {
        await #expect(processExitsWith: .success) {
            let isLong = ProcessInfo.processInfo.environment["NETWORKENGINE_LONG"] != nil
            try await StressRun.run(count: isLong ? 100_000 : 2_000, seed: 3)
        }
    }
}
