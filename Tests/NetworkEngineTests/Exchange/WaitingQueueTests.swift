import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)), .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct WaitingQueueTests {
    @Test func `the allowed number of exchanges run, and the next waits`() {
        var queue = WaitingQueue(perHost: 2, total: 10)
        let first = queue.enter(host: "a", rank: .normal)
        #expect(first.isAdmitted)
        let entry = queue.enter(host: "a", rank: .normal)
        #expect(entry.isAdmitted)
        let third = queue.enter(host: "a", rank: .normal)
        #expect(!third.isAdmitted)
        let secondEntry = queue.enter(host: "b", rank: .normal)
        #expect(secondEntry.isAdmitted)
        let next = queue.leave(first.permit)
        #expect(next == third.permit)
        #expect(queue.waitingCount == 0)
    }

    @Test func `the total limit applies across hosts`() {
        var queue = WaitingQueue(perHost: 2, total: 2)
        let first = queue.enter(host: "a", rank: .normal)
        _ = queue.enter(host: "b", rank: .normal)
        let third = queue.enter(host: "c", rank: .normal)
        #expect(!third.isAdmitted)
        let next = queue.leave(first.permit)
        #expect(next == third.permit)
    }

    @Test func `waiting exchanges are admitted by priority, then by arrival`() {
        var queue = WaitingQueue(perHost: 1, total: 10)
        var running = queue.enter(host: "a", rank: .normal).permit
        let waiting = [WaitingQueue.Rank.low, .normal, .high, .normal, .high].map {
            queue.enter(host: "a", rank: $0).permit
        }
        var order: [Int] = []
        while let next = queue.leave(running) {
            order.append(waiting.firstIndex(of: next) ?? -1)
            running = next
        }
        #expect(order == [2, 4, 1, 3, 0])
    }

    /// Passes permits on until the queue is empty, and returns the positions in the order of the permits.
    private func order(_ queue: inout WaitingQueue, _ waiting: [Permit], after running: Permit) -> [Int] {
        var running = running
        var order: [Int] = []
        while let next = queue.leave(running) {
            order.append(waiting.firstIndex(of: next) ?? -1)
            running = next
        }
        return order
    }

    @Test(arguments: ["expired", "declined", "delayed"])
    func `after a request that was too late the newest goes first, until the queue is empty`(end: String) {
        var queue = WaitingQueue(perHost: 1, total: 10)
        let running = queue.enter(host: "a", rank: .normal).permit
        var waiting = [WaitingQueue.Rank.normal, .normal, .normal, .high].map {
            queue.enter(host: "a", rank: $0).permit
        }
        var next: Permit? = running
        switch end {
        case "expired":
            let hasWaited = queue.withdraw(waiting.removeFirst(), isLate: true)
            #expect(hasWaited)
            next = queue.leave(running)
        case "declined":
            next = queue.leave(running).flatMap { queue.decline($0) }
            waiting.removeLast()
        default: next = queue.leave(running, after: .delayed)
        }
        guard let next else { return #expect(Bool(false)) }
        let first = waiting.firstIndex(of: next).map { [$0] } ?? []
        let newestFirst = first + order(&queue, waiting, after: next)
        #expect(newestFirst == Array(waiting.indices.reversed()))
        let holder = queue.enter(host: "a", rank: .normal).permit
        let later = (0..<3).map { _ in queue.enter(host: "a", rank: .normal).permit }
        let oldestFirst = order(&queue, later, after: holder)
        #expect(oldestFirst == [0, 1, 2])
    }

    @Test func `the oldest of a queue that gets too many requests still has its turn`() {
        var queue = WaitingQueue(perHost: 1, total: 10)
        var running = queue.enter(host: "a", rank: .normal).permit
        let late = queue.enter(host: "a", rank: .normal).permit
        let oldest = queue.enter(host: "a", rank: .normal).permit
        _ = queue.withdraw(late, isLate: true)
        for _ in 0...WaitingQueue.patience {
            _ = queue.enter(host: "a", rank: .normal)
            guard let next = queue.leave(running) else { return #expect(Bool(false)) }
            running = next
        }
        #expect(running == oldest)
    }

    @Test func `a refresh has a permit of its own when all others are taken`() {
        var queue = WaitingQueue(perHost: 1, total: 1)
        let holder = queue.enter(host: "a", rank: .normal).permit
        let waiter = queue.enter(host: "a", rank: .high).permit
        let refresh = queue.enter(host: "a", rank: .refresh)
        #expect(refresh.isAdmitted)
        let second = queue.enter(host: "a", rank: .refresh)
        #expect(!second.isAdmitted)
        let next = queue.leave(refresh.permit)
        #expect(next == second.permit)
        let secondNext = queue.leave(second.permit)
        #expect(secondNext == nil)
        let thirdNext = queue.leave(holder)
        #expect(thirdNext == waiter)
    }

    @Test func `a lower priority is skipped a limited number of times`() {
        var queue = WaitingQueue(perHost: 1, total: 10)
        var holder = queue.enter(host: "a", rank: .high).permit
        let low = queue.enter(host: "a", rank: .low).permit
        var passes = 0
        while holder != low, passes <= 1000 {
            _ = queue.enter(host: "a", rank: .high)
            guard let next = queue.leave(holder) else { return #expect(Bool(false)) }
            holder = next
            passes += 1
        }
        #expect(passes == WaitingQueue.patience + 1)
    }

    @Test func `hosts that share the total limit are skipped a limited number of times`() {
        var queue = WaitingQueue(perHost: 1, total: 1)
        var holder = queue.enter(host: "a", rank: .high).permit
        let low = queue.enter(host: "b", rank: .low).permit
        var passes = 0
        while holder != low, passes <= 1000 {
            _ = queue.enter(host: "a", rank: .high)
            guard let next = queue.leave(holder) else { return #expect(Bool(false)) }
            holder = next
            passes += 1
        }
        #expect(passes == WaitingQueue.patience + 1)
    }

    @Test func `new permits go to waiting exchanges in order, and a lower limit stops no running one`() {
        var queue = WaitingQueue(perHost: 1, total: 1)
        let first = queue.enter(host: "a", rank: .normal).permit
        let waiting = (0..<3).map { _ in queue.enter(host: "a", rank: .normal).permit }
        let promoted = queue.resize(perHost: 3, total: 3)
        #expect(promoted == Array(waiting.prefix(2)))
        let none = queue.resize(perHost: 1, total: 1)
        #expect(none.isEmpty && queue.runningCount == 3)
        let successors = [first, waiting[0], waiting[1]].map { queue.leave($0) }
        #expect(successors == [nil, nil, waiting[2]])
    }

    @Test func `a withdrawn exchange leaves no gap in the queue`() {
        var queue = WaitingQueue(perHost: 1, total: 10)
        let holder = queue.enter(host: "a", rank: .normal).permit
        let gone = queue.enter(host: "a", rank: .normal).permit
        let next = queue.enter(host: "a", rank: .normal).permit
        let waited = queue.withdraw(gone)
        #expect(waited)
        let secondWaited = queue.withdraw(gone)
        #expect(!secondWaited)
        let firstNext = queue.leave(holder)
        #expect(firstNext == next)
        let thirdWaited = queue.withdraw(next)
        #expect(!thirdWaited)
        let secondNext = queue.leave(next)
        #expect(secondNext == nil)
        #expect(queue.runningCount == 0)
    }

    @Test func `in any order of events the limits hold and every exchange gets a permit`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var queue = WaitingQueue(perHost: 3, total: 5)
            var running: [Permit] = []
            var waiting: Set<Permit> = []
            for _ in 0..<200 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1, 2:
                    let rank = WaitingQueue.Rank.allCases.randomElement(using: &random) ?? .normal
                    let entry = queue.enter(host: ["a", "b", "c"].randomElement(using: &random) ?? "a", rank: rank)
                    if entry.isAdmitted { running.append(entry.permit) } else { waiting.insert(entry.permit) }
                case 3:
                    guard let permit = waiting.randomElement(using: &random) else { continue }
                    let waited = queue.withdraw(permit)
                    #expect(waited)
                    waiting.remove(permit)
                default:
                    guard let permit = running.popLast() else { continue }
                    if let next = queue.leave(permit) {
                        #expect(waiting.remove(next) != nil)
                        running.append(next)
                    }
                }
                #expect(running.count <= 6)
                #expect(Dictionary(grouping: running, by: \.host).values.allSatisfy { $0.count <= 4 })
                #expect(queue.waitingCount == waiting.count)
            }
            while let permit = running.popLast() {
                if let next = queue.leave(permit) {
                    waiting.remove(next)
                    running.append(next)
                }
            }
            #expect(waiting.isEmpty)
            #expect(queue.runningCount == 0)
        }
    }
}
