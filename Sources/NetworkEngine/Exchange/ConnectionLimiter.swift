/// Something that waits for a permit.
package protocol AdmissionWaiter: AnyObject, Sendable {
    /// Called before the wait starts, on the thread that requests the permit.
    func willWait()
    /// Called once with the permit, on the thread that returned it, never under a lock.
    ///
    /// - Returns: whether the waiter keeps the permit until it returns it itself. Otherwise the next waiter receives
    ///   it.
    func admitted(_ permit: Permit) -> Bool
    /// Called instead when the limiter closes.
    func turnedAway()
}

/// Limits the connections of a transport: requests wait in a queue until they get a permit.
package final class ConnectionLimiter: Sendable {
    private struct State {
        var queue: WaitingQueue
        var waiters: [Permit: any AdmissionWaiter] = [:]
        var isClosed = false
    }

    package enum Entry {
        case admitted(Permit)
        case queued(Permit)
        case full(limit: Int)
        case closed
    }

    private let queueLimit: Int?
    private let state: Locked<State>
    private let closing = OneShot<Void>()

    package init(perHost: Int, total: Int, queueLimit: Int? = nil) {
        self.queueLimit = queueLimit
        state = Locked(State(queue: WaitingQueue(perHost: perHost, total: total)))
    }

    package func enter(_ waiter: any AdmissionWaiter, host: String, rank: WaitingQueue.Rank) -> Entry {
        let entry = state.withLock { state -> Entry? in
            if state.isClosed { return .closed }
            if let permit = state.queue.enterAtOnce(host: host, rank: rank) { return .admitted(permit) }
            return limitReached(state, rank)
        }
        if let entry { return entry }
        // Called before it is in the queue, because another thread may admit it right after that.
        waiter.willWait()
        return state.withLock { state in
            if state.isClosed { return .closed }
            if let permit = state.queue.enterAtOnce(host: host, rank: rank) { return .admitted(permit) }
            if let full = limitReached(state, rank) { return full }
            let (permit, isAdmitted) = state.queue.enter(host: host, rank: rank)
            if isAdmitted { return .admitted(permit) }
            state.waiters[permit] = waiter
            return .queued(permit)
        }
    }

    /// A refresh may wait behind any number of requests, because the requests before it depend on its result.
    private func limitReached(_ state: State, _ rank: WaitingQueue.Rank) -> Entry? {
        guard let queueLimit, rank != .refresh, state.waiters.count >= queueLimit else { return nil }
        return .full(limit: queueLimit)
    }

    /// Withdraws a waiting request. Does nothing if the request is not waiting.
    ///
    /// - Parameter isLate: whether its call's deadline has passed.
    package func withdraw(_ permit: Permit, isLate: Bool = false) {
        // Returned, so that the last reference to a waiter is dropped outside the lock.
        _ = state.withLock { $0.queue.withdraw(permit, isLate: isLate) ? $0.waiters.removeValue(forKey: permit) : nil }
    }

    /// Returns a permit.
    ///
    /// - Returns: an action that notifies the permit's next owner. Call it once, outside time-critical code.
    package func leave(_ permit: Permit) -> Succession? {
        state.withLock { state in
            guard let next = state.queue.leave(permit), let waiter = state.waiters.removeValue(forKey: next) else {
                return nil
            }
            return Succession(gate: self, waiter: waiter, permit: next)
        }
    }

    package struct Succession {
        fileprivate let gate: ConnectionLimiter
        fileprivate let waiter: any AdmissionWaiter
        fileprivate let permit: Permit

        /// Offers the permit to one waiter after another until one keeps it.
        package func announce() {
            var offer: Succession? = self
            while let current = offer, !current.waiter.admitted(current.permit) { offer = gate.leave(current.permit) }
        }
    }

    /// Whether the limiter rejects every request.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Rejects every waiting request and every later one.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.queue.removeAllWaiting().sorted(byNumber: { $0.number })
                .compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in waiters { waiter.turnedAway() }
        closing.settle(())
    }

    /// Performs the work before an exchange, such as reading its body. The work ends when the limiter closes.
    package func whileOpen<Value: Sendable>(
        for request: HTTPRequest,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        let end = Task { [closing] in
            try await closing.wait()
            task.cancel()
        }
        defer { end.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            guard isClosed, !Task.isCancelled else { throw error }
            throw NetworkError(.shutDown, during: .queue, hasHead: false, underlying: nil).completed(request: request)
        }
    }
}

extension TransportContext {
    /// The exchange's rank in the admission queue.
    package var rank: WaitingQueue.Rank {
        if isRefresh { return .refresh }
        return switch priority {
        case .high: .high
        case .normal: .normal
        case .low: .low
        }
    }
}
