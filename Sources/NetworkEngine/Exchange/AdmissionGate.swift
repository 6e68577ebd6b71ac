/// Somebody who waits for a place.
protocol AdmissionWaiter: AnyObject, Sendable {
    /// Called once, when the place is there, on the thread of whoever left it; never under a lock.
    func admitted(_ ticket: AdmissionQueue.Ticket)
    /// Called instead when the gate closes.
    func turnedAway()
}

/// The queue in front of a session, for many threads.
final class AdmissionGate: Sendable {
    private struct State {
        var queue: AdmissionQueue
        var waiters: [AdmissionQueue.Ticket: any AdmissionWaiter] = [:]
        var isClosed = false
    }

    enum Entry {
        case admitted(AdmissionQueue.Ticket)
        case queued(AdmissionQueue.Ticket)
        case full(limit: Int)
        case closed
    }

    private let queueLimit: Int?
    private let state: Locked<State>

    init(perHost: Int, total: Int, queueLimit: Int? = nil) {
        self.queueLimit = queueLimit
        state = Locked(State(queue: AdmissionQueue(perHost: perHost, total: total)))
    }

    func enter(_ waiter: any AdmissionWaiter, host: String, rank: AdmissionQueue.Rank) -> Entry {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            let (ticket, isAdmitted) = state.queue.enter(host: host, rank: rank)
            if isAdmitted { return .admitted(ticket) }
            // A refresh may wait behind any number: those before it wait for what it brings.
            if let queueLimit, rank != .refresh, state.waiters.count >= queueLimit {
                _ = state.queue.withdraw(ticket)
                return .full(limit: queueLimit)
            }
            state.waiters[ticket] = waiter
            return .queued(ticket)
        }
    }

    /// Takes a claim back; nothing happens if it does not wait any more.
    func withdraw(_ ticket: AdmissionQueue.Ticket) {
        // Returned, so that the last reference to a waiter is dropped outside the lock.
        _ = state.withLock { state in
            state.queue.withdraw(ticket) ? state.waiters.removeValue(forKey: ticket) : nil
        }
    }

    /// Gives a place back.
    ///
    /// - Returns: tells who has it now; to be called once, when there is time for it.
    func leave(_ ticket: AdmissionQueue.Ticket) -> Succession? {
        state.withLock { state in
            guard let next = state.queue.leave(ticket), let waiter = state.waiters.removeValue(forKey: next) else {
                return nil
            }
            return Succession(waiter: waiter, ticket: next)
        }
    }

    struct Succession {
        fileprivate let waiter: any AdmissionWaiter
        fileprivate let ticket: AdmissionQueue.Ticket

        func announce() { waiter.admitted(ticket) }
    }

    /// Turns away everybody who waits and everybody who comes later.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.queue.removeAllWaiting().compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.turnedAway() }
    }
}
