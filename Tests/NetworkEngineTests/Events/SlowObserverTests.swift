import Dispatch
import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

/// Observers that are slower than the calls.
@Suite(.timeLimit(.minutes(5))) struct SlowObserverTests {
    /// Handles nothing until it is opened.
    private final class Stuck: NetworkObserver {
        private let gate = DispatchSemaphore(value: 0)
        private let stored = Locked<[NetworkEvent]>([])
        let ended = OneShot<Void>()

        var events: [NetworkEvent] { stored.withLock { $0 } }

        func handle(_ event: NetworkEvent) {
            gate.wait()
            gate.signal()
            stored.withLock { $0.append(event) }
            if case .dropped = event.kind { ended.settle(()) }
        }

        func open() { gate.signal() }
    }

    @Test func `a stuck observer delays no call, and later learns how many calls it has missed`() async throws {
        let stuck = Stuck()
        let provider = NetworkProvider<TestTarget>(MockTransport(.json("7").repeating())) { $0.observers = [stuck] }
        let count = 4_000
        for _ in 0..<count { _ = try await provider.data(TestTarget()) }
        #expect(stuck.events.isEmpty)
        stuck.open()
        try await stuck.ended.wait()
        var balance = EventBalance()
        for event in stuck.events { balance.add(event) }
        #expect(balance.faults == [] && balance.openCalls.isEmpty)
        #expect(balance.droppedCalls > 0 && balance.endedCalls + balance.droppedCalls == count)
        #expect(stuck.events.count < 40_000)
    }

    @Test func `each observer has a queue of its own`() async throws {
        let (stuck, log) = (Stuck(), EventLog())
        let provider = NetworkProvider<TestTarget>(MockTransport(.json("7").repeating())) {
            $0.observers = [stuck, log]
        }
        _ = try await provider.data(TestTarget())
        #expect(log.outcomes == [nil] && stuck.events.isEmpty)
        stuck.open()
    }
}
