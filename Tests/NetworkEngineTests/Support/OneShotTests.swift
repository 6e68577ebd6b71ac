import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct OneShotTests {
    @Test func `every waiter gets the first value, early or late`() async throws {
        let shot = OneShot<Int>()
        async let early = shot.wait()
        while shot.waiterCount == 0 { await Task.yield() }
        let settled = [shot.settle(1), shot.settle(2)]
        #expect(settled == [true, false])
        #expect(try await early == 1)
        #expect(try await shot.wait() == 1)
    }

    @Test func `a canceled waiter stops waiting, and the others continue`() async throws {
        let shot = OneShot<Int>()
        let patient = Task { try await shot.wait() }
        let impatient = Task { try await shot.wait() }
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        shot.settle(7)
        #expect(try await patient.value == 7)
        #expect(shot.waiterCount == 0)
    }

    @Test func `a waiter that is canceled at any moment always ends`() async throws {
        try await rounds(300) { turn in
            let shot = OneShot<Int>()
            let task = Task { try? await shot.wait() }
            for _ in 0..<turn % 7 { await Task.yield() }
            task.cancel()
            if turn % 2 == 0 { shot.settle(turn) }
            let value = await task.value
            #expect(value == nil || value == turn)
        }
    }
}
