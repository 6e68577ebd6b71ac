import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct BackoffFuzzTests {
    @Test func `R2: in any sequence of retries every pause is within its window, and never over the cap`() {
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
                let pause = exponential.pause(.init(retry: retry), random: { number })
                guard pause >= .zero, pause <= window else { return complain("seed \(seed): \(pause) of \(window)") }
                window = min(window * 2, cap)
                let other = decorrelated.pause(.init(retry: retry, previous: previous), random: { number })
                let limit = min(cap, max(min(base, cap), (previous ?? base) * 3))
                guard other >= min(base, cap), other <= limit else { return complain("seed \(seed): \(other)") }
                previous = other
            }
        }
    }
}
