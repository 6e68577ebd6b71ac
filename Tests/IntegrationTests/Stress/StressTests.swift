import Foundation
import TestSupport
import Testing

@testable import NetworkEngineCurl

#if os(macOS) || os(Linux)
/// Each test runs in a separate process: a crash is then a failed test, and other tests don't open descriptors.
@Suite(.timeLimit(.minutes(20))) struct StressTests {
    @Test func `mixed and canceled exchanges over URLSession end without a crash, a hang or a leak`()
        async throws
    {
        let faults = try Faults()
        // A run that the platform crashes proves nothing: one run must finish.
        var isComplete = false
        for _ in 1...3 where !isComplete {
            isComplete = await PlatformCrash.spares {
                await #expect(processExitsWith: .success) { [path = faults.path as String] in
                    try await StressRun.run(.chosen, seed: 3, reportingTo: path) { .urlSession() }
                }
            }
        }
        #expect(isComplete)
        let text = faults.text
        #expect(text == "")
    }

    @Test(.enabled(if: CurlTransport.isAvailable, "there is no libcurl"))
    func `mixed and canceled exchanges over libcurl end without a crash, a hang or a leak`()
        async throws
    {
        let faults = try Faults()
        await #expect(processExitsWith: .success) { [path = faults.path as String] in
            try await StressRun.run(.chosen, seed: 5, watchingMemory: true, reportingTo: path) { .curl() }
        }
        let text = faults.text
        #expect(text == "")
    }

    /// Reports a run's failures, because its output isn't visible.
    private struct Faults: ~Copyable {
        private let folder: TemporaryFolder
        let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.url.appendingPathComponent("faults").path
        }

        var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    }
}
#endif
