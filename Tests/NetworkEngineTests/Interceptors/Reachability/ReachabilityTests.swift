import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ReachabilityTests {
    private let network = ScriptedReachability(.offline)
    private let clock = TestClock()

    private var reachability: Reachability { Reachability(network, debounce: .seconds(1), clock: clock) }

    @Test func `the current status is delivered first, then each lasting change`() async {
        var statuses = reachability.makeAsyncIterator()
        #expect(await statuses.next() == .offline)
        network.set(.online)
        await clock.advanceToNextSleeper()
        #expect(await statuses.next() == .online)
    }

    @Test func `the current status is the source's from the start`() {
        #expect(reachability.current == .offline)
        #expect(Reachability(ScriptedReachability(.online)).current == .online)
    }

    @Test func `a short change is not reported`() {
        var debouncer = Debouncer(ReachabilityStatus.online)
        let first = debouncer.saw(.offline)
        let back = debouncer.saw(.online)
        #expect(back == nil)
        let early = first.flatMap { debouncer.lasted($0) }
        #expect(early == nil)
        let second = debouncer.saw(.offline)
        let again = debouncer.saw(.offline)
        #expect(again == nil)
        let lasted = second.flatMap { debouncer.lasted($0) }
        #expect(lasted == .offline)
    }

    @Test func `waiting for a network can be canceled`() async {
        let reachability = reachability
        let waiting = Task { try await reachability.untilOnline() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `waiting for a network ends on its return, also after fast changes`() async throws {
        try await rounds(100) { round in
            let network = ScriptedReachability(.offline)
            let reachability = Reachability(network, debounce: .zero)
            let waiting = Task { try await reachability.untilOnline() }
            for number in 0..<(round % 5) { network.set(number.isMultiple(of: 2) ? .online : .offline) }
            network.set(.online)
            try await waiting.value
        }
    }

    @MainActor
    @Test func `an actor can observe the status`() async {
        for await status in reachability {
            #expect(status == .offline)
            break
        }
    }

    @Test func `a closure is asked each time`() async {
        let isReachable = Locked(false)
        let questions = Locked(0)
        let reachability = Reachability(clock: clock) {
            questions.withLock { $0 += 1 }
            return isReachable.withLock { $0 }
        }
        #expect(questions.withLock { $0 } == 0 && reachability.current == .offline)
        isReachable.withLock { $0 = true }
        #expect(reachability.current == .online && questions.withLock { $0 } == 2)
    }

    @Test func `a task that iterates asks a closure regularly and sees each change once`() async {
        let isReachable = Locked(false)
        let reachability = Reachability(checkingEvery: .seconds(2), clock: clock) { isReachable.withLock { $0 } }
        let seen = Task {
            var statuses = reachability.makeAsyncIterator()
            return [await statuses.next(), await statuses.next()]
        }
        // The second check has the same result as the first.
        #expect(await clock.advanceToNextSleeper() == .seconds(2))
        await clock.untilSleeping()
        isReachable.withLock { $0 = true }
        await clock.advanceToNextSleeper()
        #expect(await seen.value == [.offline, .online])
    }

    @Test func `waiting for the network of a closure ends when it answers yes, or is cancelled`() async throws {
        let isReachable = Locked(false)
        let reachability = Reachability(clock: clock) { isReachable.withLock { $0 } }
        let waiting = Task { try await reachability.untilOnline() }
        await clock.untilSleeping()
        isReachable.withLock { $0 = true }
        await clock.advanceToNextSleeper()
        try await waiting.value
        isReachable.withLock { $0 = false }
        let other = Task { try await reachability.untilOnline() }
        await clock.untilSleeping()
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test func `a status that is only assumed is not delivered, and the first report replaces it at once`() async {
        let network = LateNetwork()
        let reachability = Reachability(network, debounce: .seconds(1), clock: clock)
        let first = Task { await reachability.first { _ in true } }
        network.report(.offline)
        #expect(await first.value == .offline)
        #expect(reachability.current == .offline && clock.pendingSleepers.isEmpty)
    }

    @Test func `without any report the assumption is delivered`() async {
        let network = LateNetwork()
        network.end()
        #expect(await Reachability(network, clock: clock).first { _ in true } == .online)
    }

    @Test func `the system reports a status`() {
        #expect([.online, .offline].contains(Reachability.system.current))
    }
}

/// A monitor that assumes a network until it reports a status, like the one on Apple platforms.
struct LateNetwork: AssumingReachabilitySource {
    private let reports = AsyncStream<ReachabilityStatus>.makeStream()

    func current() -> ReachabilityStatus { .online }
    func changes() -> AsyncStream<ReachabilityStatus> { reports.stream }
    func report(_ status: ReachabilityStatus) { reports.continuation.yield(status) }
    func end() { reports.continuation.finish() }
}

@Suite(.timeLimit(.minutes(5))) struct DebouncerFuzzTests {
    @Test func `in any order of changes only lasting ones are reported`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var debouncer = Debouncer(0)
            var latest = 0
            var timers: [Int] = []
            for _ in 0..<30 {
                if Bool.random(using: &random) {
                    latest = Int.random(in: 0..<3, using: &random)
                    if let timer = debouncer.saw(latest) { timers.append(timer) }
                } else if let timer = timers.popLast(), let value = debouncer.lasted(timer) {
                    guard value == latest else { return complain("seed \(seed)") }
                }
            }
            for timer in timers { _ = debouncer.lasted(timer) }
            guard debouncer.settled == latest else { return complain("seed \(seed)") }
        }
    }
}
