import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct PermitQueueFuzzTests {
    @Test func `in any order of events permits are kept and no request is forgotten`() {
        for seed in Schedules.seeds {
            var random = SeededGenerator(seed: seed)
            var queue = PermitQueue(total: 3, perHost: 2, length: 4)
            var most = 4
            var running: [PermitQueue.Claim] = []
            var waiting: [PermitQueue.Claim] = []
            func settle(_ permit: OneShot<Void>?) {
                guard let permit else { return }
                permit.settle(())
                let index = waiting.firstIndex { $0.permit?.value != nil }
                if let index { running.append(waiting.remove(at: index)) }
            }
            for _ in 0..<40 {
                switch Int.random(in: 0..<9, using: &random) {
                case 8:
                    let total = Int.random(in: 1...5, using: &random)
                    for permit in queue.resize(total: total, perHost: Int.random(in: 1...3, using: &random)) {
                        settle(permit)
                    }
                    // Running requests keep their permits.
                    most = max(total + 1, running.count)
                case 0...3:
                    let rank = WaitingQueue.Rank.allCases.randomElement(using: &random) ?? .normal
                    let host = Bool.random(using: &random) ? "a" : "b"
                    guard let claim = queue.enter(host: host, rank: rank) else { continue }
                    if claim.permit == nil { running.append(claim) } else { waiting.append(claim) }
                case 4...5 where !waiting.isEmpty:
                    let claim = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random))
                    guard queue.withdraw(claim) else { return complain("seed \(seed): the request did not wait") }
                default:
                    guard !running.isEmpty else { continue }
                    let claim = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                    for permit in queue.leave(claim) { settle(permit) }
                }
                guard running.count <= most, queue.waitingCount == waiting.count, queue.runningCount == running.count
                else {
                    return complain("seed \(seed)")
                }
            }
            while let claim = running.popLast() {
                for permit in queue.leave(claim) { settle(permit) }
            }
            guard waiting.isEmpty, queue.runningCount == 0 else {
                return complain("seed \(seed): a request still waits")
            }
        }
    }
}
