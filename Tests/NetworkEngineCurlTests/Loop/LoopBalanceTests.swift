import Testing

@testable import NetworkEngineCurl

@Suite struct LoopBalanceTests {
    private func loops(_ count: Int, of origin: String = "a", _ balance: inout LoopBalance) -> [Int] {
        (0..<count).map { _ in balance.enter(origin: origin, mayMultiplex: origin != "a") }
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
        balance.leave(1, origin: "a")
        #expect(loops(1, &balance) == [1])
        balance.leave(0, origin: "a")
        balance.leave(0, origin: "a")
        #expect(loops(2, &balance) == [0, 0])
    }

    @Test func `an origin that may speak HTTP/2 stays on its loop until the streams of a connection are used`() {
        var balance = LoopBalance(loops: 2, share: 1)
        #expect(loops(1, &balance) == [0])
        #expect(loops(100, of: "b", &balance) == Array(repeating: 1, count: 100))
        #expect(loops(1, of: "b", &balance) == [0])
        balance.leave(1, origin: "b")
        #expect(loops(1, of: "b", &balance) == [1])
        // Exchanges with other hosts on that loop don't use its streams.
        #expect(loops(1, of: "c", &balance) == [0])
    }

    @Test func `an origin that answers by HTTP/1 is spread`() {
        var balance = LoopBalance(loops: 2, share: 1)
        #expect(loops(3, of: "b", &balance) == [0, 0, 0])
        balance.spread("b")
        #expect(loops(3, of: "b", &balance) == [1, 1, 1])
        #expect(loops(2, of: "b", &balance) == [0, 1])
    }

    @Test func `a loop that lacks what it needs takes nothing, and no origin stays there`() {
        var balance = LoopBalance(loops: 2, share: 1)
        #expect(loops(1, &balance) == [0])
        #expect(loops(1, of: "b", &balance) == [1])
        balance.setUsable(1, false)
        #expect(!balance.isUsable(1) && balance.isUsable(0) && !balance.isUsable(2))
        #expect(loops(3, &balance) == [0, 0, 0])
        #expect(loops(2, of: "b", &balance) == [0, 0])
        balance.setUsable(1, true)
        #expect(loops(1, &balance) == [1])
        #expect(loops(1, of: "b", &balance) == [0])
    }

    @Test func `an exchange that moves counts in its new place`() {
        var balance = LoopBalance(loops: 2, share: 1)
        #expect(loops(1, &balance) == [0])
        balance.move(from: 0, to: 1, origin: "a")
        #expect(loops(1, &balance) == [0])
    }

    @Test func `no number damages the balance`() {
        var balance = LoopBalance(loops: -1, share: 0)
        for loop in [7, -1, 0] { balance.leave(loop, origin: "a") }
        balance.move(from: 3, to: 9, origin: "a")
        balance.setUsable(5, false)
        balance.setUsable(0, false)
        #expect(loops(1_000, &balance) == Array(repeating: 0, count: 1_000))
        #expect(loops(1_000, of: "b", &balance) == Array(repeating: 0, count: 1_000))
    }
}
