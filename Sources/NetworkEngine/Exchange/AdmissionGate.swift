/// Something that waits for a permit.
protocol AdmissionWaiter: AnyObject, Sendable {
    /// Called once with the permit, on the thread that returned it, never under a lock.
    ///
    /// - Returns: whether the waiter keeps the permit until it returns it itself. Otherwise the next one has it.
    func admitted(_ ticket: AdmissionQueue.Ticket) -> Bool
    /// Called instead when the gate closes.
    func turnedAway()
}

/// The thread-safe admission queue in front of a session.
final class AdmissionGate: Sendable {
    private struct State {
        var table: AdmissionTable<any AdmissionWaiter>
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
        state = Locked(State(table: AdmissionTable(perHost: perHost, total: total)))
    }

    func enter(_ waiter: any AdmissionWaiter, host: String, rank: AdmissionQueue.Rank) -> Entry {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            let (ticket, isAdmitted) = state.table.enter(waiter, host: host, rank: rank)
            if isAdmitted { return .admitted(ticket) }
            // A refresh may wait behind any number of requests: the requests before it depend on its result.
            if let queueLimit, rank != .refresh, state.table.waitingCount > queueLimit {
                _ = state.table.withdraw(ticket)
                return .full(limit: queueLimit)
            }
            return .queued(ticket)
        }
    }

    /// Withdraws a waiting request. Does nothing if the request does not wait.
    func withdraw(_ ticket: AdmissionQueue.Ticket) {
        // Returned, so that the last reference to a waiter is dropped outside the lock.
        _ = state.withLock { $0.table.withdraw(ticket) }
    }

    /// Returns a permit.
    ///
    /// - Returns: an action that notifies the next owner of the permit. Call it once, outside of time-critical code.
    func leave(_ ticket: AdmissionQueue.Ticket) -> Succession? {
        state.withLock { $0.table.leave(ticket) }.map { Succession(gate: self, waiter: $0.waiter, ticket: $0.permit) }
    }

    struct Succession {
        fileprivate let gate: AdmissionGate
        fileprivate let waiter: any AdmissionWaiter
        fileprivate let ticket: AdmissionQueue.Ticket

        /// Offers the permit to one waiter after the other until one keeps it.
        func announce() {
            var offer: Succession? = self
            while let current = offer, !current.waiter.admitted(current.ticket) { offer = gate.leave(current.ticket) }
        }
    }

    /// Whether the gate rejects every request.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Rejects every waiting request and every later one.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.table.removeAllWaiting()
        }
        for waiter in waiters { waiter.turnedAway() }
    }
}

extension TransportContext {
    /// The position of the exchange in the admission queue.
    package var rank: AdmissionQueue.Rank {
        if isRefresh { return .refresh }
        return switch priority {
        case .high: .high
        case .normal: .normal
        case .low: .low
        }
    }
}
