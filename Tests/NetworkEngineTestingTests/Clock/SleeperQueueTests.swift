import Testing

@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct SleeperQueueTests {
    /// Returns the sleepers that wake by the given time, with the clock's time for each.
    private func wake(_ queue: inout SleeperQueue<String, String>, until goal: Duration) -> [String] {
        var woken: [String] = []
        while let name = queue.next(until: goal) { woken.append("\(name) at \(queue.now / .seconds(1))") }
        return woken
    }

    private func queue(_ sleepers: [(String, Int)]) -> SleeperQueue<String, String> {
        var queue = SleeperQueue<String, String>()
        for (name, seconds) in sleepers { _ = queue.add(queue.ticket(until: .seconds(seconds)), name) }
        return queue
    }

    @Test func `each sleeper wakes at its time, equal times in order of arrival`() {
        var queue = queue([("c", 3), ("a", 1), ("d", 3), ("b", 2), ("e", 3)])
        #expect(wake(&queue, until: .seconds(9)) == ["a at 1.0", "b at 2.0", "c at 3.0", "d at 3.0", "e at 3.0"])
        #expect(queue.now == .seconds(9))
    }

    @Test func `a sleeper with a later time stays`() {
        var queue = queue([("a", 1), ("b", 2)])
        #expect(wake(&queue, until: .seconds(1)) == ["a at 1.0"])
        #expect(queue.deadlines == [.seconds(2)])
    }

    @Test func `a removed sleeper is not woken and is removed once`() {
        var queue = queue([("a", 1), ("c", 1)])
        let ticket = queue.ticket(until: .seconds(1))
        _ = queue.add(ticket, "b")
        let removed = [queue.remove(ticket), queue.remove(ticket)]
        #expect(removed == ["b", nil])
        #expect(wake(&queue, until: .seconds(1)) == ["a at 1.0", "c at 1.0"])
    }

    @Test func `a sleeper with a past time is due at once`() {
        var queue = queue([])
        _ = wake(&queue, until: .seconds(1))
        let outcome = queue.add(queue.ticket(until: .seconds(1)), "late")
        #expect(outcome.isDue)
        #expect(queue.deadlines.isEmpty)
    }

    @Test func `a waiter is notified when enough sleepers are due in time`() {
        var queue = queue([])
        _ = queue.wait(queue.nextNumber(), for: 2, dueBy: .seconds(5), "waiter")
        let satisfied = [9, 1, 6, 2, 3].map { queue.add(queue.ticket(until: .seconds($0)), "\($0)").satisfied }
        #expect(satisfied == [[], [], [], ["waiter"], []])
    }
}
