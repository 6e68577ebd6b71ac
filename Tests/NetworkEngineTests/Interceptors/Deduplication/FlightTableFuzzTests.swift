import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FlightTableFuzzTests {
    /// What there should be.
    private struct World {
        var random: SeededGenerator
        var table = FlightTable<Int>()
        var riders: [(ticket: FlightTable<Int>.Ticket, key: Int, call: RequestID)] = []
        /// The exchanges that run, with their keys.
        var flying: [Int: Int] = [:]

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        func waits(_ call: RequestID, for flight: Int) -> Bool {
            riders.contains { $0.call == call && $0.ticket.flight == flight }
        }

        /// Whether all is as it should be after a call, or a hedge of one, has come.
        mutating func board(_ call: RequestID) -> Bool {
            let key = Int.random(in: 0..<2, using: &random)
            let ticket = table.board(key, as: call)
            let couldJoin = flying.contains { flight, other in other == key && !waits(call, for: flight) }
            guard ticket.isFirst != couldJoin, !waits(call, for: ticket.flight) else { return false }
            if ticket.isFirst { flying[ticket.flight] = key }
            riders.append((ticket, key, call))
            return flying[ticket.flight] == key
        }

        mutating func leave() -> Bool {
            guard !riders.isEmpty else { return true }
            let rider = riders.remove(at: Int.random(in: 0..<riders.count, using: &random))
            let isLast = table.leave(rider.ticket)
            let flight = rider.ticket.flight
            guard isLast == (flying[flight] != nil && !riders.contains { $0.ticket.flight == flight }) else {
                return false
            }
            if isLast { flying[flight] = nil }
            return true
        }

        mutating func land() {
            guard let ticket = riders.randomElement(using: &random)?.ticket else { return }
            table.land(ticket)
            flying[ticket.flight] = nil
        }

        mutating func step() -> Bool {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: guard board(RequestID()) else { return false }
            case 2: guard board(riders.last?.call ?? RequestID()) else { return false }
            case 3: guard leave() else { return false }
            default: land()
            }
            return table.flights == flying.count
        }
    }

    @Test func `in any order of coming and going each exchange has riders until it ends, each call once`() {
        for seed in Schedules.seeds {
            var world = World(seed: seed)
            for _ in 0..<40 {
                guard world.step() else { return complain("seed \(seed)") }
            }
        }
    }
}
