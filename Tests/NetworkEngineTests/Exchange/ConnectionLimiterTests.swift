import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct ConnectionLimiterTests {
    /// Records its notifications, and keeps its permit.
    private final class Waiter: AdmissionWaiter {
        enum Word { case waits, admitted, turnedAway }

        let heard = Locked<[Word]>([])
        let permit = Locked<Permit?>(nil)
        /// The admitted exchanges, in order.
        private let admissions: Locked<[Waiter]>

        init(_ admissions: Locked<[Waiter]> = Locked([])) { self.admissions = admissions }

        func willWait() { heard.withLock { $0.append(.waits) } }

        func admitted(_ permit: Permit) -> Bool {
            heard.withLock { $0.append(.admitted) }
            self.permit.withLock { $0 = permit }
            admissions.withLock { $0.append(self) }
            return true
        }

        func turnedAway() { heard.withLock { $0.append(.turnedAway) } }
    }

    @Test func `what waits hears of it before it is admitted by another thread`() async {
        let gate = ConnectionLimiter(perHost: 1, total: 10)
        let admissions = Locked<[Waiter]>([])
        let waiters = await withTaskGroup(of: [Waiter].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var own: [Waiter] = []
                    for _ in 0..<2_000 {
                        let waiter = Waiter(admissions)
                        own.append(waiter)
                        if case .admitted(let permit) = gate.enter(waiter, host: "a", rank: .normal) {
                            _ = waiter.admitted(permit)
                        }
                        // It holds its permit until after the next one has entered.
                        guard let last = own.dropLast().last else { continue }
                        if let permit = last.permit.withLock({ $0.take() }) { gate.leave(permit)?.announce() }
                    }
                    return own
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        // Each one that leaves admits the next.
        while let waiter = admissions.withLock({ $0.popLast() }) {
            if let permit = waiter.permit.withLock({ $0.take() }) { gate.leave(permit)?.announce() }
        }
        var waited = 0
        for waiter in waiters {
            let heard = waiter.heard.withLock { $0 }
            #expect(heard == [.admitted] || heard == [.waits, .admitted])
            if heard.count == 2 { waited += 1 }
        }
        #expect(waited > 0)
    }

    @Test func `a full queue refuses, except for a refresh`() {
        let gate = ConnectionLimiter(perHost: 1, total: 10, queueLimit: 1)
        let waiters = (0..<4).map { _ in Waiter() }
        guard case .admitted(let permit) = gate.enter(waiters[0], host: "a", rank: .normal),
            case .queued = gate.enter(waiters[1], host: "a", rank: .normal),
            case .full(limit: 1) = gate.enter(waiters[2], host: "a", rank: .high)
        else {
            Issue.record("one runs, one waits, and one is refused")
            return
        }
        #expect(waiters[2].heard.withLock { $0.isEmpty })
        guard case .admitted = gate.enter(waiters[3], host: "a", rank: .refresh) else {
            Issue.record("a refresh has a permit of its own")
            return
        }
        gate.leave(permit)?.announce()
        #expect(waiters[1].heard.withLock { $0 } == [.waits])
    }

    @Test func `a gate that closes turns everybody away`() {
        let gate = ConnectionLimiter(perHost: 1, total: 10)
        let waiters = (0..<3).map { _ in Waiter() }
        _ = gate.enter(waiters[0], host: "a", rank: .normal)
        _ = gate.enter(waiters[1], host: "a", rank: .normal)
        gate.close()
        #expect(waiters[1].heard.withLock { $0 } == [.waits, .turnedAway])
        guard case .closed = gate.enter(waiters[2], host: "a", rank: .normal) else {
            Issue.record("a closed gate admits nobody")
            return
        }
        #expect(waiters[2].heard.withLock { $0.isEmpty })
    }
}
