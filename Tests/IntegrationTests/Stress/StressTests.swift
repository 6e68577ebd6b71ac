import Testing

/// Each test runs in a separate process: a crash is then a failed test, and no other test opens descriptors.
@Suite(.timeLimit(.minutes(20))) struct StressTests {
    @Test func `mixed and canceled exchanges over URLSession end without a crash, a hang or a leak`()
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
    func `mixed and canceled exchanges over libcurl end without a crash, a hang or a leak`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await StressRun.run(.chosen, seed: 5, watchingMemory: true) { .curl() }
        }
    }
}
