import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct RateScheduleFuzzTests {
    /// A host and the requests that wait for it, in order.
    private struct Model {
        var schedule: RateSchedule
        var line: [RateSchedule.Claim] = []
        var now = Duration.zero
        var went: [Duration] = []

        mutating func enter() {
            switch schedule.enter("a", at: now, within: .seconds(5)) {
            case .go: went.append(now)
            case .waits(let claim): line.append(claim)
            case .refused: break
            }
        }

        /// Advances the time and sends the requests that become due.
        mutating func advance(to end: Duration) {
            while let first = line.first {
                switch schedule.step(first, at: now) {
                case .go:
                    went.append(now)
                    line.removeFirst()
                case .refused: line.removeFirst()
                case .waits(let time):
                    guard time <= end else { return now = end }
                    now = time
                }
            }
            now = end
        }
    }

    @Test func `in any order of events the rate holds and every request gets its turn`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            let burst = Int.random(in: 1...4, using: &random)
            var model = Model(schedule: RateSchedule(count: 1, per: .seconds(1), burst: burst))
            for _ in 0..<60 {
                model.advance(to: model.now + .milliseconds(Int.random(in: 0...900, using: &random)))
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    _ = model.schedule.pause("a", until: model.now + .seconds(2), at: model.now)
                case 1...3:
                    guard let claim = model.line.randomElement(using: &random) else { continue }
                    _ = model.schedule.withdraw(claim)
                    model.line.removeAll { $0.ticket == claim.ticket }
                default: model.enter()
                }
            }
            model.advance(to: model.now + .seconds(60))
            guard model.line.isEmpty, model.schedule.waitingCount == 0 else { return complain("seed \(seed): waits") }
            for (index, time) in model.went.enumerated() where index >= burst {
                guard time - model.went[index - burst] >= .seconds(1) else { return complain("seed \(seed)") }
            }
        }
    }
}
