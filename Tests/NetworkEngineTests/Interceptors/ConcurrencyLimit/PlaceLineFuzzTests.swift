import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct PlaceLineFuzzTests {
    @Test func `in any order of comings and goings places are kept and nobody is forgotten`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var line = PermitQueue(total: 3, perHost: 2, length: 4)
            var most = 4
            var running: [PermitQueue.Claim] = []
            var waiting: [PermitQueue.Claim] = []
            func settle(_ turn: OneShot<Void>?) {
                guard let turn else { return }
                turn.settle(())
                let index = waiting.firstIndex { $0.turn?.value != nil }
                if let index { running.append(waiting.remove(at: index)) }
            }
            for _ in 0..<40 {
                switch Int.random(in: 0..<9, using: &random) {
                case 8:
                    let total = Int.random(in: 1...5, using: &random)
                    for turn in line.resize(total: total, perHost: Int.random(in: 1...3, using: &random)) {
                        settle(turn)
                    }
                    // Who runs is not sent away.
                    most = max(total + 1, running.count)
                case 0...3:
                    let rank = AdmissionQueue.Rank.allCases.randomElement(using: &random) ?? .normal
                    let host = Bool.random(using: &random) ? "a" : "b"
                    guard let claim = line.enter(host: host, rank: rank) else { continue }
                    if claim.turn == nil { running.append(claim) } else { waiting.append(claim) }
                case 4...5 where !waiting.isEmpty:
                    let claim = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random))
                    guard line.withdraw(claim) else { return complain("seed \(seed): it did not wait") }
                default:
                    guard !running.isEmpty else { continue }
                    settle(line.leave(running.remove(at: Int.random(in: 0..<running.count, using: &random))))
                }
                guard running.count <= most, line.waitingCount == waiting.count, line.runningCount == running.count
                else {
                    return complain("seed \(seed)")
                }
            }
            while let claim = running.popLast() { settle(line.leave(claim)) }
            guard waiting.isEmpty, line.runningCount == 0 else { return complain("seed \(seed): somebody is left") }
        }
    }
}
