import Dispatch
import NetworkEngineMocks
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct ScriptedReachabilityTests {
    @Test func `changes at the same time reach all listeners in one order, and the last one is the status`() async {
        let changes = 5_000
        let network = ScriptedReachability(.online)
        let listeners = (0..<4).map { _ in network.changes() }
        DispatchQueue.concurrentPerform(iterations: 2) { worker in
            for _ in 0..<changes { network.set(worker == 0 ? .online : .offline) }
        }
        var orders = Set<[ReachabilityStatus]>()
        for listener in listeners {
            var statuses = listener.makeAsyncIterator()
            var order: [ReachabilityStatus] = []
            while order.count < 1 + 2 * changes, let status = await statuses.next() { order.append(status) }
            #expect(order.last == network.current())
            orders.insert(order)
        }
        let count = orders.count
        #expect(count == 1)
    }

    @Test func `a listener that has ended does not keep a change from the others`() async {
        let network = ScriptedReachability(.online)
        _ = network.changes()
        var statuses = network.changes().makeAsyncIterator()
        _ = network.changes()
        for status in [ReachabilityStatus.offline, .online] { network.set(status) }
        let seen = [await statuses.next(), await statuses.next(), await statuses.next()]
        #expect(seen == [.online, .offline, .online])
    }
}
