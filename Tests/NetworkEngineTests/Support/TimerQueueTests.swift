import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct AlarmsTests {
    private struct Ring: TimerTarget {
        let number: Int
        let rung: AsyncStream<Int>.Continuation
        func timerFired() { rung.yield(number) }
    }

    @Test func `timers fire in the order of their times`() async {
        let clock = TestClock()
        let timers = TimerQueue(timebase: .reading(clock))
        let (rings, rung) = AsyncStream<Int>.makeStream()
        for number in [3, 1, 2] { _ = timers.set(at: .seconds(number), for: Ring(number: number, rung: rung)) }
        clock.advance(by: .seconds(3))
        var heard: [Int] = []
        for await ring in rings {
            heard.append(ring)
            if heard.count == 3 { break }
        }
        #expect(heard == [1, 2, 3])
    }

    @Test func `a canceled timer leaves no sleeper on the clock`() async {
        let clock = TestClock()
        let timers = TimerQueue(timebase: .reading(clock))
        let (_, rung) = AsyncStream<Int>.makeStream()
        let token = timers.set(at: .seconds(1), for: Ring(number: 1, rung: rung))
        await clock.untilSleeping()
        timers.clear(token)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `an earlier timer that is set later is not delayed`() async {
        let clock = TestClock()
        let timers = TimerQueue(timebase: .reading(clock))
        let (rings, rung) = AsyncStream<Int>.makeStream()
        _ = timers.set(at: .seconds(60), for: Ring(number: 60, rung: rung))
        await clock.untilSleeping()
        _ = timers.set(at: .seconds(1), for: Ring(number: 1, rung: rung))
        clock.advance(by: .seconds(1))
        var first = rings.makeAsyncIterator()
        #expect(await first.next() == 1)
    }

    @Test func `a stopped queue still fires its remaining timers and leaves no sleeper`() async {
        let clock = TestClock()
        let timers = TimerQueue(timebase: .reading(clock))
        let (rings, rung) = AsyncStream<Int>.makeStream()
        _ = timers.set(at: .seconds(60), for: Ring(number: 60, rung: rung))
        await clock.untilSleeping()
        timers.stop()
        let later = timers.set(at: .seconds(90), for: Ring(number: 90, rung: rung))
        clock.advance(by: .seconds(60))
        var heard = rings.makeAsyncIterator()
        #expect(await heard.next() == 60)
        timers.clear(later)
        _ = timers.set(at: .seconds(120), for: Ring(number: 120, rung: rung))
        clock.advance(by: .seconds(60))
        #expect(await heard.next() == 120)
        #expect(clock.pendingSleepers.isEmpty)
    }

    @Test func `a thousand timers of the real clock all fire`() async {
        let timers = TimerQueue(timebase: .reading(ContinuousClock()))
        let (rings, rung) = AsyncStream<Int>.makeStream()
        for number in 0..<1_000 {
            _ = timers.set(at: timers.timebase.now + .microseconds(number), for: Ring(number: number, rung: rung))
        }
        var heard: Set<Int> = []
        for await ring in rings {
            heard.insert(ring)
            if heard.count == 1_000 { break }
        }
        #expect(heard.count == 1_000)
    }
}
