import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// The contract of events under faults, cancellation, deadlines, retries, hedging, sharing and refreshes.
@Suite(.timeLimit(.minutes(60))) struct EventStormTests {
    /// In the full form, more than a million calls have events.
    private static let count = TestLength.count(4_000, sanitized: 10_000, gate: 120_000, whole: 1_100_000)

    private struct Checking: QueuedObserver {
        let queue: ObserverQueue
        func handle(_ event: NetworkEvent) {}
    }

    @Test func `every call, attempt and exchange that starts ends once, nested and in order`() async {
        let count = Self.count
        let balance = Locked(EventBalance())
        let queue = ObserverQueue(limit: .max) { event in balance.withLock { $0.add(event) } }
        let storm = EventStorm(Checking(queue: queue))
        let workers = 50
        await withTaskGroup(of: Void.self) { group in
            for seed in 1...workers { group.addTask { await storm.run(count / workers, seed: UInt64(seed)) } }
        }
        // A refresh ends without the calls that wait for it.
        while queue.isBusy(balance) { await Task.yield() }
        let result = balance.withLock { $0 }
        #expect(result.faults == [])
        #expect(result.endedCalls == result.counts["callStarted"] && result.droppedCalls == 0)
        // A canceled handle may have no events, and a refresh has its own.
        #expect(result.endedCalls > count * 9 / 10)
        let kinds = ["queued", "redirected", "retryDecided", "refreshStarted", "streamEvent", "reconnecting"]
        for kind in kinds { #expect(result.counts[kind, default: 0] > count / 2_000, "\(kind)") }
        print("observed:", result.endedCalls, "calls,", result.counts.values.reduce(0, +), "events")
    }
}

extension ObserverQueue {
    fileprivate func isBusy(_ balance: Locked<EventBalance>) -> Bool {
        flush()
        return balance.withLock { !$0.openCalls.isEmpty }
    }
}
