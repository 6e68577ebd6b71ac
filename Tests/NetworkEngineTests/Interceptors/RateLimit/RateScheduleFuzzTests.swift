import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RateScheduleFuzzTests {
    @Test func `in any order no more turns come than the rate allows`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            let burst = Int.random(in: 1...4, using: &random)
            var schedule = RateSchedule(count: 1, per: .seconds(1), burst: burst)
            var now = Duration.zero
            var given: [Duration] = []
            for _ in 0..<30 {
                now += .milliseconds(Int.random(in: 0...900, using: &random))
                if let turn = schedule.turn(with: "a", at: now, within: .seconds(5)) { given.append(turn.time) }
                if Int.random(in: 0..<10, using: &random) == 0 {
                    schedule.pause("a", until: now + .seconds(2), at: now)
                    given = []
                }
            }
            for (index, time) in given.enumerated() where index >= burst {
                guard time - given[index - burst] >= .seconds(1) else { return complain("seed \(seed)") }
            }
        }
    }
}
