/// Posts the events of one call, and keeps them balanced.
///
/// An attempt or a call that ends ends what is still open inside it. Nothing is posted after the end of the call. The
/// call of a stream stays open until the exchange of the stream ends.
package final class CallObservation: Sendable {
    private struct State {
        var attempt = 0
        var isAttemptOpen = false
        var exchanges = 0
        var openExchanges: [(number: Int, attempt: Int)] = []
        var isOver = false
        /// The ends that wait for the exchange of a stream.
        var attemptEnd: NetworkEvent.AttemptEnd?
        var callEnd: Result<HTTPResponse, NetworkError>?
    }

    package let id: RequestID
    private let queues: [ObserverQueue]
    private let start = ContinuousClock.now
    private let state = Locked(State())

    init(_ id: RequestID, _ queues: [ObserverQueue]) {
        self.id = id
        self.queues = queues
    }

    /// The call starts. Its first event.
    package func begin(_ start: NetworkEvent.CallStart) {
        state.withLock { post(.callStarted(start), $0.attempt, 0, at: self.start) }
    }

    /// Posts an event of the call, or of the current attempt.
    package func post(_ kind: NetworkEvent.Kind) {
        state.withLock { state in
            guard !state.isOver else { return }
            post(kind, state.attempt, 0)
        }
    }

    package func beginAttempt(_ number: Int, _ request: HTTPRequest) {
        state.withLock { state in
            guard !state.isOver else { return }
            endAttempt(&state, .failure(.cancelled(request)))
            (state.attempt, state.isAttemptOpen) = (number, true)
            post(.attemptStarted(request), number, 0)
        }
    }

    /// - Parameter result: with a body that still arrives, the attempt ends with its exchange.
    package func endAttempt(_ result: Result<HTTPResponse, NetworkError>) {
        state.withLock { state in
            guard !state.isOver, state.isAttemptOpen else { return }
            if result.isStreaming, !state.openExchanges.isEmpty {
                state.attemptEnd = NetworkEvent.AttemptEnd(result: result)
            } else {
                endAttempt(&state, result)
            }
        }
    }

    /// The call ends. Nothing is posted after that.
    package func end(_ result: Result<HTTPResponse, NetworkError>) {
        state.withLock { state in
            guard !state.isOver else { return }
            if result.isStreaming, !state.openExchanges.isEmpty { state.callEnd = result } else { end(&state, result) }
        }
    }

    // MARK: Exchanges

    /// - Returns: the number of the exchange; 0 if the call is over.
    package func beginExchange(_ request: HTTPRequest) -> Int {
        state.withLock { state in
            guard !state.isOver, state.isAttemptOpen else { return 0 }
            state.exchanges += 1
            state.openExchanges.append((state.exchanges, state.attempt))
            post(.exchangeStarted(request), state.attempt, state.exchanges)
            return state.exchanges
        }
    }

    /// Posts an event of an exchange, unless the exchange is over.
    package func post(_ kind: NetworkEvent.Kind, of exchange: Int) {
        state.withLock { state in
            guard let open = state.openExchanges.first(where: { $0.number == exchange }) else { return }
            post(kind, open.attempt, exchange)
        }
    }

    package func endExchange(_ exchange: Int, _ end: NetworkEvent.ExchangeEnd) {
        state.withLock { state in
            guard let index = state.openExchanges.firstIndex(where: { $0.number == exchange }) else { return }
            let open = state.openExchanges.remove(at: index)
            post(.exchangeEnded(end), open.attempt, exchange)
            guard state.openExchanges.isEmpty else { return }
            let failure: NetworkError? = if case .failure(let error) = end.result { error } else { nil }
            // The body of a stream may fail after its response was accepted.
            if let attemptEnd = state.attemptEnd {
                endAttempt(&state, failure.map { .failure($0) } ?? attemptEnd.result)
            }
            if let callEnd = state.callEnd { self.end(&state, failure.map { .failure($0) } ?? callEnd) }
        }
    }

    // MARK: Under the lock

    private func endAttempt(_ state: inout State, _ result: Result<HTTPResponse, NetworkError>) {
        guard state.isAttemptOpen else { return }
        let failure: Result<HTTPResponse, NetworkError>
        if case .failure = result { failure = result } else { failure = .failure(.cancelled(nil)) }
        for open in state.openExchanges { post(.exchangeEnded(.init(result: failure)), open.attempt, open.number) }
        (state.openExchanges, state.attemptEnd, state.isAttemptOpen) = ([], nil, false)
        post(.attemptEnded(.init(result: result)), state.attempt, 0)
    }

    private func end(_ state: inout State, _ result: Result<HTTPResponse, NetworkError>) {
        endAttempt(&state, result)
        state.isOver = true
        post(
            .callEnded(.init(result: result, attempts: state.attempt, duration: ContinuousClock.now - start)),
            state.attempt, 0)
    }

    private func post(
        _ kind: NetworkEvent.Kind, _ attempt: Int, _ exchange: Int, at instant: ContinuousClock.Instant = .now
    ) {
        let event = NetworkEvent(callID: id, attempt: attempt, exchange: exchange, instant: instant, kind: kind)
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
