import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct SharedExchangeTableFuzzTests {
    /// The expected state.
    private struct World {
        var random: SeededGenerator
        var table = SharedExchangeTable<Int>()
        var waiting: [(ticket: SharedExchangeTable<Int>.Ticket, key: Int, call: RequestID)] = []
        /// The running exchanges with their keys.
        var running: [Int: Int] = [:]

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        func waits(_ call: RequestID, for exchange: Int) -> Bool {
            waiting.contains { $0.call == call && $0.ticket.exchange == exchange }
        }

        /// Joins as a call or as a call's hedge. Returns whether the table is correct.
        mutating func join(_ call: RequestID) -> Bool {
            let key = Int.random(in: 0..<2, using: &random)
            let ticket = table.join(key, as: call)
            let couldJoin = running.contains { exchange, other in other == key && !waits(call, for: exchange) }
            guard ticket.isFirst != couldJoin, !waits(call, for: ticket.exchange) else { return false }
            if ticket.isFirst { running[ticket.exchange] = key }
            waiting.append((ticket, key, call))
            return running[ticket.exchange] == key
        }

        mutating func leave() -> Bool {
            guard !waiting.isEmpty else { return true }
            let waiter = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random))
            let isLast = table.leave(waiter.ticket)
            let exchange = waiter.ticket.exchange
            guard isLast == (running[exchange] != nil && !waiting.contains { $0.ticket.exchange == exchange }) else {
                return false
            }
            if isLast { running[exchange] = nil }
            return true
        }

        mutating func end() {
            guard let ticket = waiting.randomElement(using: &random)?.ticket else { return }
            table.end(ticket)
            running[ticket.exchange] = nil
        }

        mutating func step() -> Bool {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: guard join(RequestID()) else { return false }
            case 2: guard join(waiting.last?.call ?? RequestID()) else { return false }
            case 3: guard leave() else { return false }
            default: end()
            }
            return table.exchangeCount == running.count
        }
    }

    @Test func `in any order of events each exchange has requests until it ends, each of them once`() {
        for seed in Schedules.seeds {
            var world = World(seed: seed)
            for _ in 0..<40 {
                guard world.step() else { return complain("seed \(seed)") }
            }
        }
    }
}
