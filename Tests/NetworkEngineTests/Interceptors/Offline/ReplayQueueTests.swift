import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReplayQueueTests {
    @Test func `first come, first served, whoever of them wakes first`() {
        var queue = ReplayQueue(limit: 3)
        let tickets = (0..<3).compactMap { _ in queue.enter() }
        var turns: [Int] = []
        for ticket in tickets.reversed() {
            turns.append(queue.turn(of: ticket))
            queue.leave(ticket)
        }
        #expect(turns == [2, 1, 0])
    }

    @Test func `who has given up holds up nobody`() {
        var queue = ReplayQueue(limit: 2)
        let first = queue.enter()
        for _ in 0..<1000 {
            if let ticket = queue.enter() { queue.leave(ticket) }
        }
        let last = queue.enter()
        let turns = [first, last].compactMap { $0 }.map { queue.turn(of: $0) }
        #expect(turns == [0, 1])
    }

    @Test func `who comes while others are being sent stands behind them`() {
        var queue = ReplayQueue(limit: 9)
        let first = (0..<3).compactMap { _ in queue.enter() }
        _ = queue.turn(of: first[0])
        queue.leave(first[0])
        let late = queue.enter()
        let turn = late.map { queue.turn(of: $0) }
        #expect(turn == 2)
    }

    @Test func `it has an end, and who has left leaves room`() {
        var queue = ReplayQueue(limit: 1)
        let first = queue.enter()
        let second = queue.enter()
        #expect(first != nil && second == nil)
        if let first { queue.leave(first) }
        let third = queue.enter()
        let turn = third.map { queue.turn(of: $0) }
        #expect(turn == 0)
        #expect(queue.length == 1)
    }
}
