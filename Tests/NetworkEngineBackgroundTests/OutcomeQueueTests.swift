import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineBackground
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct OutcomeQueueTests {
    private let queue = OutcomeQueue<Int>()
    private let clock = TestClock()

    @Test func `outcomes wait until they are read`() async {
        queue.put(1)
        queue.put(2)
        queue.finish()
        var read: [Int] = []
        for await outcome in queue.stream { read.append(outcome) }
        #expect(read == [1, 2])
    }

    @Test func `after a reader was canceled the next one reads the outcomes that follow`() async {
        let first = Task { await queue.stream.first { _ in true } }
        first.cancel()
        #expect(await first.value == nil)
        queue.put(1)
        #expect(await queue.stream.first { _ in true } == 1)
    }

    @Test func `no outcome is lost while readers are canceled`() async throws {
        try await rounds(100) { round in
            let queue = OutcomeQueue<Int>()
            let read = Locked<[Int]>([])
            let canceled = Task {
                for await outcome in queue.stream { read.withLock { $0.append(outcome) } }
            }
            let writer = Task {
                for outcome in 0..<20 {
                    queue.put(outcome)
                    if outcome == round % 20 { canceled.cancel() }
                }
                queue.finish()
            }
            await writer.value
            await canceled.value
            for await outcome in queue.stream { read.withLock { $0.append(outcome) } }
            #expect(read.withLock { $0 } == Array(0..<20))
        }
    }

    /// Records when all outcomes are handled.
    private func handling() -> OneShot<Duration> {
        let end = OneShot<Duration>()
        let timebase = Timebase.reading(clock)
        Task {
            await queue.allHandled(within: .seconds(20), on: timebase)
            end.settle(timebase.now)
        }
        return end
    }

    @Test func `an outcome is handled when its reader asks for the next one`() async throws {
        queue.put(1)
        let end = handling()
        await clock.untilSleeping()
        var reader = queue.stream.makeAsyncIterator()
        #expect(await reader.next() == 1)
        #expect(end.value == nil)
        queue.put(2)
        #expect(await reader.next() == 2)
        #expect(end.value == nil)
        queue.finish()
        #expect(await reader.next() == nil)
        #expect(try await end.wait() == .zero)
    }

    @Test func `an outcome is handled when its reader has left the loop`() async throws {
        queue.put(1)
        let end = handling()
        await clock.untilSleeping()
        for await _ in queue.stream { break }
        #expect(try await end.wait() == .zero)
    }

    @Test func `outcomes that nobody reads are waited for up to the limit`() async throws {
        queue.put(1)
        let end = handling()
        #expect(await clock.advanceToNextSleeper() == .seconds(20))
        #expect(try await end.wait() == .seconds(20))
    }

    @Test func `without outcomes there is nothing to wait for`() async {
        await queue.allHandled(within: .seconds(20), on: .reading(clock))
        #expect(clock.pendingSleepers.isEmpty)
    }
}
