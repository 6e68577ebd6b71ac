/// Posts the events of one call, and keeps them balanced.
///
/// When an attempt or a call ends, everything still open inside it ends, too. Nothing is posted after the end of the
/// call. A stream's call remains open until the stream's exchange ends.
package final class CallObservation: Sendable {
    private enum Stage { case new, open, over }

    private struct State {
        var stage = Stage.new
        var attempt = 0
        var isAttemptOpen = false
        var exchanges = 0
        var openExchanges: [(number: Int, attempt: Int)] = []
        /// The refreshes that the call is waiting for.
        var refreshes: [NetworkEvent.Refresh] = []
        /// The response of the last successful attempt.
        var response: HTTPResponse?
        /// The ends to post after a stream's exchange.
        var attemptEnd: Result<HTTPResponse, NetworkError>?
        var callEnd: Result<HTTPResponse, NetworkError>?
    }

    let id: RequestID
    private let queues: [ObserverQueue]
    private let start = Moment.now
    private let state = Locked(State())

    init(_ id: RequestID, _ queues: [ObserverQueue]) {
        self.id = id
        self.queues = queues
    }

    /// Starts the call with its first event, unless it has already ended.
    func begin(_ start: NetworkEvent.CallStart) {
        state.withLock { state in
            guard state.stage == .new else { return }
            state.stage = .open
            post(.callStarted(start), 0, 0, at: self.start)
        }
    }

    /// Posts an event of the call, or of the current attempt.
    package func post(_ kind: NetworkEvent.Kind) {
        state.withLock { state in
            guard state.stage == .open else { return }
            post(kind, state.attempt, 0)
        }
    }

    /// Starts the next attempt, with the request before interceptors.
    func beginAttempt(_ request: HTTPRequest) {
        state.withLock { state in
            guard state.stage == .open else { return }
            endAttempt(&state, .failure(.cancelled(request)))
            state.attempt += 1
            state.isAttemptOpen = true
            post(.attemptStarted(request), state.attempt, 0)
        }
    }

    /// - Parameter result: if the body is still arriving, the attempt ends with its exchange.
    private func endAttempt(_ result: Result<HTTPResponse, NetworkError>) {
        state.withLock { state in
            guard state.stage == .open, state.isAttemptOpen else { return }
            // An event must not retain a stream, which its reader releases.
            let complete = result.map(\.withoutStream)
            if case .success(let response) = complete { state.response = response }
            if result.isStreaming, !state.openExchanges.isEmpty {
                state.attemptEnd = complete
            } else {
                endAttempt(&state, complete)
            }
        }
    }

    /// Ends the call with an error, or with the response of its last attempt. Nothing is posted after that.
    func end(_ error: NetworkError?) {
        state.withLock { state in
            guard state.stage == .open else { return state.stage = .over }
            let response = state.response.map { Result<_, NetworkError>.success($0) } ?? .failure(.cancelled(nil))
            if error == nil, state.attemptEnd != nil {
                state.callEnd = response
            } else {
                end(&state, error.map { .failure($0) } ?? response)
            }
        }
    }

    // MARK: Posts of asynchronous code
    // Not inlined: an event is large, and would enlarge the frames of unobserved calls.

    @inline(never)
    func attemptSucceeded(_ response: HTTPResponse) { endAttempt(.success(response)) }

    @inline(never)
    func attemptFailed(_ error: NetworkError) { endAttempt(.failure(error)) }

    @inline(never)
    func retryDecided(after delay: Duration?, _ reason: NetworkEvent.RetryChoice.Reason) {
        post(.retryDecided(.init(delay: delay, reason: reason)))
    }

    @inline(never)
    func redirected(by response: HTTPResponse, to request: HTTPRequest) {
        post(.redirected(.init(statusCode: response.statusCode, request: request)))
    }

    // MARK: Refreshes

    /// The call starts to wait for a refresh.
    func beginRefresh(_ refresh: NetworkEvent.Refresh) {
        state.withLock { state in
            guard state.stage == .open else { return }
            state.refreshes.append(refresh)
            post(.refreshStarted(refresh), state.attempt, 0)
        }
    }

    func endRefresh(_ refresh: NetworkEvent.Refresh, _ outcome: NetworkEvent.Refresh.Outcome) {
        state.withLock { state in
            guard let index = state.refreshes.firstIndex(of: refresh) else { return }
            endRefresh(&state, at: index, outcome)
        }
    }

    // MARK: Exchanges

    /// - Returns: the number of the exchange; `nil` if the attempt is over.
    func beginExchange(_ request: HTTPRequest) -> Int? {
        state.withLock { state in
            guard state.stage == .open, state.isAttemptOpen else { return nil }
            state.exchanges += 1
            state.openExchanges.append((state.exchanges, state.attempt))
            post(.exchangeStarted(request), state.attempt, state.exchanges)
            return state.exchanges
        }
    }

    /// Posts an event of an exchange, unless the exchange is over.
    func post(_ kind: NetworkEvent.Kind, of exchange: Int) {
        state.withLock { state in
            guard let open = state.openExchanges.first(where: { $0.number == exchange }) else { return }
            post(kind, open.attempt, exchange)
        }
    }

    func endExchange(_ exchange: Int, _ end: NetworkEvent.ExchangeEnd) {
        state.withLock { state in
            guard let index = state.openExchanges.firstIndex(where: { $0.number == exchange }) else { return }
            let open = state.openExchanges.remove(at: index)
            post(.exchangeEnded(end), open.attempt, exchange)
            guard state.openExchanges.isEmpty else { return }
            let failure: NetworkError? = if case .failure(let error) = end.result { error } else { nil }
            // A stream's body may fail after its response was accepted.
            if let attemptEnd = state.attemptEnd { endAttempt(&state, failure.map { .failure($0) } ?? attemptEnd) }
            if let callEnd = state.callEnd { self.end(&state, failure.map { .failure($0) } ?? callEnd) }
        }
    }

    // MARK: Under the lock

    private func endRefresh(_ state: inout State, at index: Int, _ outcome: NetworkEvent.Refresh.Outcome) {
        var refresh = state.refreshes.remove(at: index)
        refresh.outcome = outcome
        post(.refreshEnded(refresh), state.attempt, 0)
    }

    private func endAttempt(_ state: inout State, _ result: Result<HTTPResponse, NetworkError>) {
        while let last = state.refreshes.indices.last { endRefresh(&state, at: last, .cancelled) }
        guard state.isAttemptOpen else { return }
        let failure: Result<HTTPResponse, NetworkError>
        if case .failure = result { failure = result } else { failure = .failure(.cancelled(nil)) }
        for open in state.openExchanges { post(.exchangeEnded(.init(result: failure)), open.attempt, open.number) }
        (state.openExchanges, state.attemptEnd, state.isAttemptOpen) = ([], nil, false)
        post(.attemptEnded(.init(result: result)), state.attempt, 0)
    }

    private func end(_ state: inout State, _ result: Result<HTTPResponse, NetworkError>) {
        endAttempt(&state, result)
        (state.stage, state.response, state.callEnd) = (.over, nil, nil)
        let duration = Moment.now - start
        post(.callEnded(.init(result: result, attempts: state.attempt, duration: duration)), state.attempt, 0)
    }

    private func post(
        _ kind: NetworkEvent.Kind, _ attempt: Int, _ exchange: Int, at moment: Moment = .now
    ) {
        let event = NetworkEvent(callID: id, attempt: attempt, exchange: exchange, moment: moment, kind: kind)
        let isVital =
            switch kind {
            case .progressed, .streamEvent: false
            default: true
            }
        for queue in queues { queue.post(event, isVital: isVital) }
    }
}

extension Result where Success == HTTPResponse {
    fileprivate var isStreaming: Bool {
        if case .success(let response) = self, case .stream = response.body { true } else { false }
    }
}
