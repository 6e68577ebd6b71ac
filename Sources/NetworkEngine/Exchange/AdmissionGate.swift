/// Something that waits for a permit.
protocol AdmissionWaiter: AnyObject, Sendable {
    /// Called once with the permit, on the thread that returned it, never under a lock.
    func admitted(_ ticket: AdmissionQueue.Ticket)
    /// Called instead when the gate closes.
    func turnedAway()
}

/// The thread-safe admission queue in front of a session.
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
            // A refresh may wait behind any number of requests: the requests before it depend on its result.
            if let queueLimit, rank != .refresh, state.waiters.count >= queueLimit {
                _ = state.queue.withdraw(ticket)
                return .full(limit: queueLimit)
            }
            state.waiters[ticket] = waiter
            return .queued(ticket)
        }
    }

    /// Withdraws a waiting request. Does nothing if the request does not wait.
    func withdraw(_ ticket: AdmissionQueue.Ticket) {
        // Returned, so that the last reference to a waiter is dropped outside the lock.
        _ = state.withLock { state in
            state.queue.withdraw(ticket) ? state.waiters.removeValue(forKey: ticket) : nil
        }
    }

    /// Returns a permit.
    ///
    /// - Returns: an action that notifies the next owner of the permit. Call it once, outside of time-critical code.
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

    /// Rejects every waiting request and every later one.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.queue.removeAllWaiting().compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.turnedAway() }
    }
}
