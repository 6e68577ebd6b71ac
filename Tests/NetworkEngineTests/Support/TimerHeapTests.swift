import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct AlarmHeapTests {
    private struct Mark: TimerTarget {
        let number: Int
        func timerFired() {}
    }

    @Test(arguments: 0..<20)
    func `due timers come out in order after any insertions and removals`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var heap = TimerHeap()
        var expected: [Int: (time: Duration, token: TimerHeap.Token)] = [:]
        for number in 0..<2_000 {
            if Int.random(in: 0..<3, using: &random) == 0, let victim = expected.keys.min() {
                heap.remove(expected[victim]!.token)
                heap.remove(expected[victim]!.token)
                expected[victim] = nil
            } else {
                let time = Duration.milliseconds(Int.random(in: 0..<500, using: &random))
                expected[number] = (time, heap.insert(at: time, Mark(number: number)))
            }
        }
        #expect(heap.count == expected.count)
        for limit in stride(from: 0, through: 500, by: 25) {
            let due = heap.removeDue(at: .milliseconds(limit)).compactMap { ($0 as? Mark)?.number }
            let times = due.compactMap { expected[$0]?.time }
            #expect(times == times.sorted())
            #expect(Set(due) == Set(expected.filter { $0.value.time <= .milliseconds(limit) }.keys))
            for number in due { expected[number] = nil }
        }
        #expect(heap.isEmpty)
    }

    @Test func `the token of a removed timer does not affect its successor`() {
        var heap = TimerHeap()
        let old = heap.insert(at: .seconds(1), Mark(number: 1))
        heap.remove(old)
        _ = heap.insert(at: .seconds(2), Mark(number: 2))
        heap.remove(old)
        #expect(heap.count == 1)
    }

    @Test func `a timer that is moved comes out at its new time`() {
        var heap = TimerHeap()
        let tokens = (1...5).map { heap.insert(at: .seconds($0), Mark(number: $0)) }
        heap.move(tokens[0], to: .seconds(9))
        heap.move(tokens[3], to: .zero)
        heap.remove(tokens[2])
        heap.move(tokens[2], to: .zero)
        let order = heap.removeDue(at: .seconds(9)).compactMap { ($0 as? Mark)?.number }
        #expect(order == [4, 2, 5, 1])
    }
}
