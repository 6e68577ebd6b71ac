import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryTokensFuzzTests {
    @Test func `R6: in any order of retries and successes a budget stays within its bounds`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var tokens = RetryTokens(capacity: Int.random(in: 0...100, using: &random))
            var model = ["a": tokens.capacity, "b": tokens.capacity]
            for _ in 0..<30 {
                let host = Bool.random(using: &random) ? "a" : "b"
                let amount = Int.random(in: 0...20, using: &random)
                if Bool.random(using: &random) {
                    let isGranted = tokens.withdraw(amount, for: host)
                    #expect(isGranted == (model[host, default: 0] >= amount))
                    if isGranted { model[host, default: 0] -= amount }
                } else {
                    tokens.deposit(amount, for: host)
                    model[host] = min(tokens.capacity, model[host, default: 0] + amount)
                }
                guard tokens.lowest == model.values.min(), tokens.lowest >= 0 else {
                    Issue.record("seed \(seed)")
                    return
                }
            }
        }
    }
}
