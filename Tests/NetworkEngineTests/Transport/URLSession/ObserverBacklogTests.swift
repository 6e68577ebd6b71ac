import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ObserverBacklogTests {
    @Test func `a task is observed from its beginning`() {
        var backlog = ObserverBacklog<Int>()
        let early = backlog.admits(.continues, of: 1)
        #expect(!early)
        let all = [.begins, .continues, .measures, .ends].map { backlog.admits($0, of: 1) }
        #expect(all == [true, true, true, true])
    }

    @Test func `a task ends once`() {
        var backlog = ObserverBacklog<Int>()
        let ends = [.begins, .ends, .ends, .measures, .continues].map { backlog.admits($0, of: 1) }
        #expect(ends == [true, true, false, false, false])
    }

    @Test func `a full backlog drops what comes in between, and still reports the end`() {
        var backlog = ObserverBacklog<Int>(callLimit: 2)
        let calls = [.begins, .continues, .continues, .measures, .ends].map { backlog.admits($0, of: 1) }
        #expect(calls == [true, true, false, true, true])
    }

    @Test func `a task that begins while the backlog is full is not observed at all`() {
        var backlog = ObserverBacklog<Int>(callLimit: 1)
        let first = backlog.admits(.begins, of: 1)
        let second = [.begins, .continues, .measures, .ends].map { backlog.admits($0, of: 2) }
        #expect(first)
        #expect(second == [false, false, false, false])
    }

    @Test func `bytes beyond the limit are dropped until others are delivered`() {
        var backlog = ObserverBacklog<Int>(sizeLimit: 10)
        let begins = backlog.admits(.begins, of: 1)
        let pieces = [8, 3, 2].map { backlog.admits(.continues, of: 1, size: $0) }
        backlog.delivered()
        backlog.delivered(size: 8)
        let next = backlog.admits(.continues, of: 1, size: 3)
        #expect(begins)
        #expect(pieces == [true, false, true])
        #expect(next)
    }

    @Test func `a piece that is larger than the limit fits into an empty backlog`() {
        var backlog = ObserverBacklog<Int>(sizeLimit: 10)
        _ = backlog.admits(.begins, of: 1)
        let pieces = [40, 1].map { backlog.admits(.continues, of: 1, size: $0) }
        #expect(pieces == [true, false])
    }

    @Test func `the backlog stays within its limits, whatever happens`() {
        var random = SystemRandomNumberGenerator()
        var backlog = ObserverBacklog<Int>(callLimit: 8, sizeLimit: 100)
        var waiting: [Int] = []
        var running: Set<Int> = []
        for task in 0..<5_000 {
            if Bool.random(using: &random), backlog.admits(.begins, of: task) {
                waiting.append(0)
                running.insert(task)
            }
            if let other = running.randomElement(using: &random) {
                let size = Int.random(in: 0...60, using: &random)
                if backlog.admits(.continues, of: other, size: size) { waiting.append(size) }
            }
            if let other = running.randomElement(using: &random), backlog.admits(.ends, of: other) {
                waiting.append(0)
                running.remove(other)
            }
            // One end event for each admitted task comes on top of the limit.
            #expect(waiting.count <= 16)
            #expect(waiting.reduce(0, +) <= 100)
            while waiting.count > 6 { backlog.delivered(size: waiting.removeFirst()) }
        }
    }
}
