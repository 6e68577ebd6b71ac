import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FlightTableFuzzTests {
    @Test func `in any order of coming and going each exchange has riders until it ends`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var table = FlightTable<Int>()
            var riders: [(flight: Int, key: Int)] = []
            var flying: [Int: Int] = [:]
            for _ in 0..<40 {
                let key = Int.random(in: 0..<2, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    let (flight, isFirst) = table.board(key)
                    guard isFirst == (flying[key] == nil), isFirst || flying[key] == flight else {
                        return complain("seed \(seed)")
                    }
                    flying[key] = flight
                    riders.append((flight, key))
                case 2 where !riders.isEmpty:
                    let rider = riders.remove(at: Int.random(in: 0..<riders.count, using: &random))
                    let isLast = table.leave(rider.flight, rider.key)
                    let isFlying = flying[rider.key] == rider.flight
                    guard isLast == (isFlying && !riders.contains { $0 == rider }) else {
                        return complain("seed \(seed)")
                    }
                    if isLast { flying[rider.key] = nil }
                default:
                    guard let flight = flying.removeValue(forKey: key) else { continue }
                    table.land(flight, key)
                }
                guard table.flights == flying.count else { return complain("seed \(seed)") }
            }
        }
    }
}
