import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct HedgeRaceFuzzTests {
    @Test func `in any order of events a race has one result and at most one hedge`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var race = HedgeRace()
            var running: Set<HedgeRace.Runner> = [.primary]
            var hedges = 0
            var decisions: [HedgeRace.Runner] = []
            var hasDelayPassed = false
            var failed: Set<HedgeRace.Runner> = []
            func carryOut(_ action: HedgeRace.Action) {
                switch action {
                case .wait: break
                case .finish(let runner): decisions.append(runner)
                case .startHedge:
                    let isPaid = Bool.random(using: &random)
                    if isPaid {
                        hedges += 1
                        running.insert(.hedge)
                    }
                    carryOut(race.hedgeStarted(isPaid))
                }
            }
            while decisions.isEmpty {
                if !hasDelayPassed, Bool.random(using: &random) {
                    hasDelayPassed = true
                    carryOut(race.delayPassed())
                } else if let runner = running.randomElement(using: &random) {
                    running.remove(runner)
                    let isGood = Bool.random(using: &random)
                    if !isGood { failed.insert(runner) }
                    let isTemporary = Bool.random(using: &random)
                    carryOut(isGood ? race.succeeded(runner) : race.failed(runner, isTemporary: isTemporary))
                } else if hasDelayPassed {
                    return complain("seed \(seed): no end")
                }
            }
            let isFair = decisions.first == .primary || !failed.contains(.hedge)
            guard decisions.count == 1, hedges <= 1, isFair else { return complain("seed \(seed)") }
        }
    }
}
