import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CircuitMachineFuzzTests {
    @Test func `in any order at most one probe is out, and no breaker stays open without end`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var limits = CircuitStateMachine.Limits()
            limits.minimumCalls = 2
            var machine = CircuitStateMachine(limits)
            var now = Duration.zero
            var out: [(permit: CircuitStateMachine.Permit, since: Duration)] = []
            for _ in 0..<60 {
                now += .milliseconds(Int.random(in: 0...3000, using: &random))
                if Bool.random(using: &random) {
                    guard case .success(let permit) = machine.enter(at: now) else { continue }
                    out.append((permit, now))
                    let probes = out.filter { $0.permit.isProbe && now - $0.since < .seconds(30) }
                    let current = probes.filter { $0.permit.generation == permit.generation }
                    guard current.count <= 1 else { return complain("seed \(seed): two probes") }
                } else if !out.isEmpty {
                    let call = out.remove(at: Int.random(in: 0..<out.count, using: &random))
                    let outcome = CircuitStateMachine.Outcome.allCases.randomElement(using: &random) ?? .success
                    machine.left(call.permit, outcome, at: now)
                }
            }
            guard case .success = machine.enter(at: now + .seconds(60)) else { return complain("seed \(seed)") }
        }
    }
}
