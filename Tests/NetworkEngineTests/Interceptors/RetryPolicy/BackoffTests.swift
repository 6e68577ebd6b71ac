import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct BackoffTests {
    private func pauses(_ backoff: Backoff, _ count: Int, throttled: Bool = false, random: Double = 1) -> [Duration] {
        (0..<count).map { backoff.pause(retry: $0, isThrottled: throttled, random: { random }) }
    }

    @Test func `the exponential delay doubles up to the cap, and the cap applies before the jitter`() {
        let backoff = Backoff.exponential(base: .seconds(1), cap: .seconds(5))
        #expect(pauses(backoff, 5) == [1, 2, 4, 5, 5].map { .seconds($0) })
        #expect(pauses(backoff, 5, random: 0.5) == [500, 1000, 2000, 2500, 2500].map { .milliseconds($0) })
        #expect(pauses(backoff, 3, random: 0) == [.zero, .zero, .zero])
    }

    @Test func `the base is 50 ms and the cap 20 s, and a second when throttled`() {
        #expect(pauses(.exponential(), 3) == [50, 100, 200].map { .milliseconds($0) })
        #expect(pauses(.exponential(), 6, throttled: true) == [1, 2, 4, 8, 16, 20].map { .seconds($0) })
        #expect(pauses(.exponential(), 12).last == .seconds(20))
    }

    @Test(arguments: [63, 64, 1024, 2000, Int.max])
    func `no number of retries overflows`(retry: Int) {
        let long = Backoff.exponential(base: .seconds(1), cap: .seconds(Int64.max))
        let pause = long.pause(retry: retry, random: { 1 })
        #expect(pause == .seconds(1 << 30))
    }

    @Test(arguments: [-1.0, 2, .nan, .infinity, -.infinity])
    func `a random generator that leaves its range is clamped`(random: Double) {
        let pause = Backoff.exponential(base: .seconds(1)).pause(retry: 0, random: { random })
        #expect((.zero ... .seconds(1)).contains(pause))
    }

    @Test func `full jitter is uniform`() {
        var generator = SeededGenerator(seed: 11)
        var buckets = Array(repeating: 0, count: 10)
        for _ in 0..<10_000 {
            let value = Double.random(in: 0..<1, using: &generator)
            let pause = Backoff.exponential(base: .seconds(10)).pause(retry: 0, random: { value })
            buckets[min(9, Int(pause.components.seconds))] += 1
        }
        let chiSquare = buckets.reduce(0.0) { $0 + (Double($1) - 1000) * (Double($1) - 1000) / 1000 }
        #expect(chiSquare < 27.9)  // 9 degrees of freedom, one in a thousand
    }

    @Test func `decorrelated jitter ranges from the base to three times the previous delay`() {
        let backoff = Backoff.decorrelatedJitter(base: .seconds(1), cap: .seconds(20))
        func pause(after previous: Duration?, _ random: Double) -> Duration {
            backoff.pause(retry: 1, previous: previous, random: { random })
        }
        #expect(pause(after: nil, 1) == .seconds(3))
        #expect(pause(after: .seconds(4), 0) == .seconds(1))
        #expect(pause(after: .seconds(4), 0.5) == .milliseconds(6500))
        #expect(pause(after: .seconds(10), 1) == .seconds(20))
    }

    @Test func `constant and custom delays are used, but never negative or above the cap`() {
        #expect(pauses(.constant(.seconds(3)), 3, random: 0) == Array(repeating: .seconds(3), count: 3))
        #expect(pauses(.custom { .seconds($0 * 15) }, 3) == [0, 15, 20].map { .seconds($0) })
        #expect(pauses(.custom { _ in .seconds(-1) }, 1) == [.zero])
    }
}

@Suite(.timeLimit(.minutes(5))) struct BackoffFuzzTests {
    @Test func `in any sequence of retries every delay is within its window and the cap`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            let base = Duration.milliseconds(Int.random(in: 0...2000, using: &random))
            let cap = Duration.milliseconds(Int.random(in: 0...60_000, using: &random))
            let (exponential, decorrelated) = (
                Backoff.exponential(base: base, cap: cap), Backoff.decorrelatedJitter(base: base, cap: cap)
            )
            var previous: Duration?
            var window = min(base, cap)
            for retry in 0..<30 {
                let number = Double.random(in: 0...1, using: &random)
                let pause = exponential.pause(retry: retry, random: { number })
                guard pause >= .zero, pause <= window else { return complain("seed \(seed): \(pause) of \(window)") }
                window = min(window * 2, cap)
                let other = decorrelated.pause(retry: retry, previous: previous, random: { number })
                let limit = min(cap, max(min(base, cap), (previous ?? base) * 3))
                guard other >= min(base, cap), other <= limit else { return complain("seed \(seed): \(other)") }
                previous = other
            }
        }
    }
}
