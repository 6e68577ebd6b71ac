import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ReplayQueueTests {
    @Test func `requests are served in order of arrival, in any order of waking`() {
        var queue = ReplayQueue(limit: 3)
        let tickets = (0..<3).compactMap { _ in queue.enter() }
        var turns: [Int] = []
        for ticket in tickets.reversed() {
            turns.append(queue.position(of: ticket))
            queue.leave(ticket)
        }
        #expect(turns == [2, 1, 0])
    }

    @Test func `a canceled request does not block the others`() {
        var queue = ReplayQueue(limit: 2)
        let first = queue.enter()
        for _ in 0..<1000 {
            if let ticket = queue.enter() { queue.leave(ticket) }
        }
        let last = queue.enter()
        let turns = [first, last].compactMap { $0 }.map { queue.position(of: $0) }
        #expect(turns == [0, 1])
    }

    @Test func `a request that arrives during the replay is sent last`() {
        var queue = ReplayQueue(limit: 9)
        let first = (0..<3).compactMap { _ in queue.enter() }
        _ = queue.position(of: first[0])
        queue.leave(first[0])
        let late = queue.enter()
        let turn = late.map { queue.position(of: $0) }
        #expect(turn == 2)
    }

    @Test func `a request whose network was lost again keeps its place`() {
        var queue = ReplayQueue(limit: 9)
        let tickets = (0..<4).compactMap { _ in queue.enter() }
        _ = queue.position(of: tickets[0])
        for ticket in tickets.prefix(2) { queue.leave(ticket) }
        let again = queue.enter(again: tickets[1])
        queue.leave(tickets[3])
        let turns = [again, tickets[2]].compactMap { $0 }.map { queue.position(of: $0) }
        #expect(again == tickets[1] && turns == [1, 2])
    }

    @Test func `the queue has a limit, and canceled requests free their entries`() {
        var queue = ReplayQueue(limit: 1)
        let first = queue.enter()
        let second = queue.enter()
        #expect(first != nil && second == nil)
        if let first { queue.leave(first) }
        let third = queue.enter()
        let turn = third.map { queue.position(of: $0) }
        #expect(turn == 0)
        #expect(queue.length == 1)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ReplayQueueFuzzTests {
    @Test func `in any order of events turns follow the order of arrival`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var queue = ReplayQueue(limit: 5)
            var waiting: [ReplayQueue.Ticket] = []
            for _ in 0..<40 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    let ticket = queue.enter()
                    guard (ticket == nil) == (waiting.count == 5) else { return complain("seed \(seed): the limit") }
                    if let ticket { waiting.append(ticket) }
                case 2 where !waiting.isEmpty:
                    queue.leave(waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random)))
                default:
                    // The network returns: all requests ask in random order, and some leave in between.
                    var turns: [(ticket: Int, turn: Int)] = []
                    for ticket in waiting.shuffled(using: &random) {
                        turns.append((ticket, queue.position(of: ticket)))
                        if Bool.random(using: &random) { queue.leave(ticket) }
                    }
                    for (ticket, _) in turns { queue.leave(ticket) }
                    waiting = []
                    let sorted = turns.sorted { $0.ticket < $1.ticket }.map(\.turn)
                    guard sorted == Array(0..<sorted.count) else { return complain("seed \(seed): \(sorted)") }
                }
                guard queue.length == waiting.count else { return complain("seed \(seed)") }
            }
        }
    }
}
