import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// Calls with a deadline to a server with a fixed latency and a fixed number of workers, through a `PermitQueue`.
///
/// Each call does what `ConcurrencyLimit` does. Time is a number, so a run is exact and takes milliseconds. The
/// server works in order of arrival, even for calls that have ended.
struct ServiceSimulation {
    struct Server: CustomTestStringConvertible {
        /// In seconds.
        let latency: Double
        let workers: Int
        var deadline: Double
        var perHost = 64
        /// The queue's information on the kind of the calls.
        var kind: String? = "GET /things"

        /// The number of calls that it answers per second.
        var capacity: Double { Double(min(workers, perHost)) / latency }
        var testDescription: String {
            "\(workers) workers, \(latency) s, deadline \(deadline) s, limit \(perHost), \(kind ?? "any kind")"
        }
    }

    struct Outcome {
        var answered = 0
        /// From the first call to the last.
        var seconds = 0.0
    }

    private struct Call {
        let arrival: Double
        var start: Double?
        /// The number of calls at the server when this one was sent, and its remaining time.
        var sent = (among: 0, timeLeft: Duration.zero)
        var isOver = false
        var claim: PermitQueue.Claim?
    }

    private enum Event { case arrives(Int), isServed(Int), isLate(Int) }

    private let server: Server
    private var queue: PermitQueue
    private var calls: [Call] = []
    private var waiting: [ObjectIdentifier: Int] = [:]
    private var backlog: [Int] = []
    private var served = 0
    private var busy = 0
    private var agenda = Agenda<Event>()
    private var now = 0.0
    private var outcome = Outcome()
    private var random = SeededGenerator(seed: 7)

    private init(_ server: Server) {
        self.server = server
        queue = PermitQueue(total: 256, perHost: server.perHost, length: 1000)
    }

    /// Makes calls at random times.
    static func run(_ server: Server, calls count: Int, perSecond rate: Double) -> Outcome {
        var run = ServiceSimulation(server)
        for number in 0..<count {
            run.outcome.seconds += -log(1 - Double.random(in: 0..<1, using: &run.random)) / rate
            run.calls.append(Call(arrival: run.outcome.seconds))
            run.agenda.add(.arrives(number), at: run.outcome.seconds)
        }
        while let (time, event) = run.agenda.next() {
            run.now = time
            run.take(event)
        }
        return run.outcome
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .arrives(let call):
            calls[call].claim = queue.enter(host: "a", rank: .normal, kind: server.kind)
            guard let claim = calls[call].claim else { return calls[call].isOver = true }
            agenda.add(.isLate(call), at: now + server.deadline)
            if let permit = claim.permit { waiting[permit.identity] = call } else { send(call) }
        case .isServed(let call):
            busy -= 1
            if !calls[call].isOver {
                if now <= outcome.seconds { outcome.answered += 1 }
                let (count, timeLeft) = calls[call].sent
                end(call, .answered(in: .seconds(now - (calls[call].start ?? now)), of: timeLeft, among: count))
            }
            work()
        case .isLate(let call):
            guard !calls[call].isOver, let claim = calls[call].claim else { return }
            guard let start = calls[call].start else {
                calls[call].isOver = true
                if let permit = claim.permit { waiting[permit.identity] = nil }
                _ = queue.withdraw(claim, isLate: true)
                return
            }
            end(call, now - start >= start - calls[call].arrival ? .missed : .delayed)
        }
    }

    private mutating func send(_ call: Int) {
        calls[call].start = now
        guard let claim = calls[call].claim else { return }
        let timeLeft = Duration.seconds(calls[call].arrival + server.deadline - now)
        calls[call].sent = (queue.begin(claim, timeLeft: timeLeft), timeLeft)
        backlog.append(call)
        work()
    }

    private mutating func work() {
        while busy < server.workers, served < backlog.count {
            busy += 1
            let time = server.latency * Double.random(in: 0.9...1.1, using: &random)
            agenda.add(.isServed(backlog[served]), at: now + time)
            served += 1
        }
    }

    private mutating func end(_ call: Int, _ service: HostLoad.Service) {
        calls[call].isOver = true
        guard let claim = calls[call].claim else { return }
        offer(queue.leave(claim, after: service))
    }

    private mutating func offer(_ permits: [OneShot<Void>]) {
        var permits = permits
        while let permit = permits.popLast() {
            guard let call = waiting.removeValue(forKey: permit.identity), let claim = calls[call].claim
            else { continue }
            if queue.isInTime(claim, timeLeft: .seconds(calls[call].arrival + server.deadline - now)) {
                send(call)
            } else {
                calls[call].isOver = true
                if let next = queue.decline(claim) { permits.append(next) }
            }
        }
    }
}

/// Events in chronological order; a heap.
private struct Agenda<Event> {
    private var all: [(time: Double, event: Event)] = []

    mutating func add(_ event: Event, at time: Double) {
        all.append((time, event))
        var index = all.count - 1
        while index > 0, all[index].time < all[(index - 1) / 2].time {
            all.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func next() -> (time: Double, event: Event)? {
        guard let first = all.first else { return nil }
        all[0] = all[all.count - 1]
        all.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < all.count }
            guard let least = children.min(by: { all[$0].time < all[$1].time }), all[least].time < all[index].time
            else { return first }
            all.swapAt(index, least)
            index = least
        }
    }
}
