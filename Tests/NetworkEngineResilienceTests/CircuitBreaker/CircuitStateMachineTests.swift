import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CircuitMachineTests {
    private func machine(calls: Int = 4) -> CircuitStateMachine {
        var limits = CircuitStateMachine.Limits()
        limits.minimumCalls = calls
        return CircuitStateMachine(limits)
    }

    private func call(
        _ machine: inout CircuitStateMachine, _ outcome: CircuitStateMachine.Outcome, at time: Duration = .zero
    ) {
        guard case .success(let permit) = machine.enter(at: time) else { return }
        machine.left(permit, outcome, at: time)
    }

    private func opened() -> CircuitStateMachine {
        var machine = machine()
        for _ in 0..<4 { call(&machine, .failure) }
        return machine
    }

    private func retryAfter(_ machine: inout CircuitStateMachine, at time: Duration) -> Duration? {
        if case .failure(let open) = machine.enter(at: time) { open.retryAfter } else { nil }
    }

    @Test func `a circuit opens at the ratio after enough calls`() {
        var machine = machine()
        for outcome in [CircuitStateMachine.Outcome.failure, .failure, .success] { call(&machine, outcome) }
        #expect(machine.state == .closed)
        call(&machine, .failure)
        #expect(machine.state == .open)
    }

    @Test(arguments: [1.0, 0.95])
    func `an outage after steady traffic opens the circuit within two seconds`(share: Double) {
        var machine = CircuitStateMachine()
        var random = SeededGenerator(seed: 3)
        for number in 0..<3000 { call(&machine, .success, at: .milliseconds(number * 20)) }
        var failures = 0
        while machine.state == .closed, failures < 1000 {
            let isFailure = Double.random(in: 0..<1, using: &random) < share
            call(&machine, isFailure ? .failure : .success, at: .milliseconds(60_000 + failures * 20))
            failures += 1
        }
        #expect(failures <= 100)
    }

    @Test func `scattered failures, and old ones, open no circuit`() {
        var machine = CircuitStateMachine()
        for number in 0..<3000 {
            call(&machine, number % 5 < 2 ? .failure : .success, at: .milliseconds(number * 20))
        }
        #expect(machine.state == .closed)
        for number in 1...100 { call(&machine, .failure, at: .seconds(60 + number * 2)) }
        #expect(machine.state == .closed)
    }

    @Test func `a circuit that was open long ago is dropped`() {
        let machine = opened()
        #expect(!machine.isIdle(at: .seconds(5)))
        #expect(machine.isIdle(at: .seconds(35)))
    }

    @Test func `a canceled call changes nothing`() {
        var machine = machine()
        for _ in 0..<100 { call(&machine, .cancelled) }
        for _ in 0..<3 { call(&machine, .failure) }
        #expect(machine.state == .closed)
    }

    @Test func `failures outside the window do not count`() {
        var machine = machine()
        for second in 0..<40 { call(&machine, .failure, at: .seconds(second * 11)) }
        #expect(machine.state == .closed)
    }

    @Test func `a call at the border of two slices counts in the later one`() {
        // A window of thirty seconds has slices of three seconds.
        var machine = machine(calls: 2)
        for _ in 1...3 { call(&machine, .success, at: .seconds(1)) }
        call(&machine, .failure, at: .seconds(3))
        #expect(machine.state == .closed)
        call(&machine, .failure, at: .seconds(32))
        #expect(machine.state == .open)
    }

    @Test func `an open circuit names its remaining time, and then one probe decides`() {
        var machine = opened()
        #expect(retryAfter(&machine, at: .seconds(2)) == .seconds(3))
        guard case .success(let probe) = machine.enter(at: .seconds(5)) else { return #expect(Bool(false)) }
        #expect(probe.isProbe)
        #expect(retryAfter(&machine, at: .seconds(5)) != nil)
        machine.left(probe, .success, at: .seconds(6))
        #expect(machine.state == .closed)
    }

    @Test func `a failed probe opens the circuit again`() {
        var machine = opened()
        call(&machine, .failure, at: .seconds(5))
        #expect(retryAfter(&machine, at: .seconds(6)) == .seconds(4))
    }

    @Test func `a canceled probe frees its permit, and a hanging probe loses it`() {
        var machine = opened()
        call(&machine, .cancelled, at: .seconds(5))
        guard case .success(let hanging) = machine.enter(at: .seconds(5)) else { return #expect(Bool(false)) }
        guard case .success = machine.enter(at: .seconds(35)) else { return #expect(Bool(false)) }
        machine.left(hanging, .success, at: .seconds(36))
        #expect(machine.state == .halfOpen)
    }

    @Test func `late results of earlier calls change nothing`() {
        var machine = machine()
        guard case .success(let late) = machine.enter(at: .zero) else { return #expect(Bool(false)) }
        for _ in 0..<4 { call(&machine, .failure) }
        machine.left(late, .success, at: .seconds(1))
        #expect(machine.state == .open)
        #expect(retryAfter(&machine, at: .seconds(1)) == .seconds(4))
    }

    @Test func `an isolated circuit stays open until a reset`() {
        var machine = machine()
        machine.isolate()
        guard case .failure(let open) = machine.enter(at: .seconds(1_000_000)) else { return #expect(Bool(false)) }
        #expect(open.retryAfter == nil)
        machine.reset()
        #expect(machine.state == .closed)
    }
}

@Suite(.timeLimit(.minutes(5))) struct CircuitMachineFuzzTests {
    @Test func `in any order of events at most one probe runs, and no circuit stays open without end`() {
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
