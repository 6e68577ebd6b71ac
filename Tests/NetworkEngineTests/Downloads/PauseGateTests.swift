import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct PauseGateTests {
    private let gate = PauseGate()

    @Test func `a pause ends the running work and is reported once`() async throws {
        let hasBegun = OneShot<Void>()
        let run = Task { [gate] in
            try await gate.run {
                hasBegun.settle(())
                try await OneShot<Void>().wait()
            }
        }
        try await hasBegun.wait()
        gate.pause()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(!run.isCancelled)
        #expect([gate.takeInterruption(), gate.takeInterruption()] == [true, false])
    }

    @Test func `nothing starts during a pause`() async {
        gate.pause()
        let hasBegun = Locked(false)
        await #expect(throws: CancellationError.self) { try await gate.run { hasBegun.withLock { $0 = true } } }
        #expect(!hasBegun.withLock { $0 } && gate.takeInterruption())
    }

    @Test func `a pause between two exchanges does not count for the first`() async throws {
        #expect(try await gate.run { 1 } == 1)
        gate.pause()
        #expect(!gate.takeInterruption() && gate.isPaused)
        gate.resume()
        #expect(try await gate.run { 2 } == 2)
    }

    @Test func `a waiting task continues on resume or on its cancellation`() async throws {
        gate.pause()
        let (patient, impatient) = (Task { try await gate.waitUntilOpen() }, Task { try await gate.waitUntilOpen() })
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        gate.resume()
        try await patient.value
        #expect(!gate.isPaused)
    }

    @Test func `canceling the running task ends the work`() async throws {
        let hasBegun = OneShot<Void>()
        let run = Task { [gate] in
            try await gate.run {
                hasBegun.settle(())
                try await OneShot<Void>().wait()
            }
        }
        try await hasBegun.wait()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(!gate.takeInterruption())
    }
}
