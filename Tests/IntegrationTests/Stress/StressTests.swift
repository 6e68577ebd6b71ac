import Testing

/// Each test runs in a separate process: a crash is then a failed test, and no other test opens descriptors.
@Suite(.timeLimit(.minutes(20))) struct StressTests {
    @Test func `URLSession: mixed exchanges, a third cancelled: no crash, hang, wrong body, file or descriptor left`()
        async
    {
        // A run that the platform crashes says nothing about us: there must be one that comes to its end.
        var isComplete = false
        for _ in 1...3 where !isComplete {
            isComplete = await PlatformCrash.spares {
                await #expect(processExitsWith: .success) {
                    try await StressRun.run(.chosen, seed: 3) { .urlSession() }
                }
            }
        }
        #expect(isComplete)
    }

    @Test
    func `libcurl: mixed exchanges, a third cancelled: no crash, hang, wrong body, file, descriptor or memory left`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await StressRun.run(.chosen, seed: 5, watchingMemory: true) { .curl() }
        }
    }
}
