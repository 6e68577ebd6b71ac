import NetworkEngineCurl
import Testing

@Suite struct LoopBalanceTests {
    private func loops(_ count: Int, of origin: String = "a", _ balance: inout LoopBalance) -> [Int] {
        (0..<count).map { _ in balance.enter(origin: origin) }
    }

    @Test func `few exchanges use one loop, and more of them all loops alike`() {
        var balance = LoopBalance(loops: 3, share: 4)
        let first = loops(12, &balance)
        #expect(first == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
        let next = loops(6, &balance)
        #expect(next == [0, 1, 2, 0, 1, 2])
    }

    @Test func `the place of an exchange that has ended is free`() {
        var balance = LoopBalance(loops: 2, share: 2)
        _ = loops(4, &balance)
        balance.leave(1)
        #expect(balance.enter(origin: "b") == 1)
        balance.leave(0)
        balance.leave(0)
        let next = loops(2, &balance)
        #expect(next == [0, 0])
    }

    @Test func `an origin that speaks HTTP/2 stays on its loop until the streams of a connection are used`() {
        var balance = LoopBalance(loops: 2, share: 1)
        _ = loops(2, &balance)
        balance.keep("b", on: 1)
        // The first that was noted counts.
        balance.keep("b", on: 0)
        let streams = loops(99, of: "b", &balance)
        #expect(streams == Array(repeating: 1, count: 99))
        #expect(balance.enter(origin: "b") == 0)
        balance.leave(1)
        #expect(balance.enter(origin: "b") == 1)
        // Others go where there is least to do.
        #expect(balance.enter(origin: "a") == 0)
    }

    @Test func `an exchange that moves counts in its new place`() {
        var balance = LoopBalance(loops: 2, share: 1)
        #expect(balance.enter(origin: "a") == 0)
        balance.move(from: 0, to: 1)
        #expect(balance.enter(origin: "a") == 0)
    }

    @Test func `no number damages the balance`() {
        var balance = LoopBalance(loops: -1, share: 0)
        balance.leave(7)
        balance.leave(-1)
        balance.leave(0)
        balance.move(from: 3, to: 9)
        balance.keep("a", on: 0)
        let all = loops(1_000, &balance)
        #expect(all == Array(repeating: 0, count: 1_000))
    }
}
