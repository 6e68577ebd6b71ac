import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReplayQueueFuzzTests {
    @Test func `in any order of comings and goings turns are in the order of arrival, and no longer than the queue`() {
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
                    // The network comes: all of them ask, in any order, and some leave in between.
                    var turns: [(ticket: Int, turn: Int)] = []
                    for ticket in waiting.shuffled(using: &random) {
                        turns.append((ticket, queue.turn(of: ticket)))
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
