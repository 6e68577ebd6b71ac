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
