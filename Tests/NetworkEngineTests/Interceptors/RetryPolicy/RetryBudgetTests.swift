import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct RetryTokensTests {
    @Test func `retries use up the budget, and then the next is refused`() {
        var tokens = RetryTokens(capacity: 30)
        let granted = (0..<3).map { _ in tokens.withdraw(14, for: "a") }
        #expect(granted == [true, true, false])
        #expect(tokens.available(for: "a") == 2)
    }

    @Test func `refills stop at the capacity`() {
        var tokens = RetryTokens(capacity: 30)
        _ = tokens.withdraw(14, for: "a")
        tokens.deposit(1000, for: "a")
        tokens.deposit(.max, for: "a")
        #expect(tokens.available(for: "a") == 30)
        #expect(tokens.isFull)
    }

    @Test func `each host has its own budget`() {
        var tokens = RetryTokens(capacity: 14)
        let granted = ["a", "a", "b"].map { tokens.withdraw(14, for: $0) }
        #expect(granted == [true, false, true])
        #expect(tokens.lowest == 0)
        #expect(tokens.available(for: "c") == 14)
    }
}

@Suite(.timeLimit(.minutes(5))) struct RetryTokensFuzzTests {
    @Test func `in any order of retries and successes a budget stays within its bounds`() {
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
