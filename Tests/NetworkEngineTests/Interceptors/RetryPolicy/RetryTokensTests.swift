import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryTokensTests {
    @Test func `R6: retries cost until nothing is left, and the next is refused`() {
        var tokens = RetryTokens(capacity: 30)
        let granted = (0..<3).map { _ in tokens.withdraw(14, for: "a") }
        #expect(granted == [true, true, false])
        #expect(tokens.available(for: "a") == 2)
    }

    @Test func `R6: what comes back stops at the capacity`() {
        var tokens = RetryTokens(capacity: 30)
        _ = tokens.withdraw(14, for: "a")
        tokens.deposit(1000, for: "a")
        tokens.deposit(.max, for: "a")
        #expect(tokens.available(for: "a") == 30)
        #expect(tokens.isFull)
    }

    @Test func `R6: each host has a budget of its own`() {
        var tokens = RetryTokens(capacity: 14)
        let granted = ["a", "a", "b"].map { tokens.withdraw(14, for: $0) }
        #expect(granted == [true, false, true])
        #expect(tokens.lowest == 0)
        #expect(tokens.available(for: "c") == 14)
    }
}
