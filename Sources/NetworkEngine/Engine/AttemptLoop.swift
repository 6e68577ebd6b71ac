/// Makes attempts until a response is acceptable, an interceptor or the limit stops the attempts, or the call ends.
struct AttemptLoop: Sendable {
    private let chain: InterceptorChain
    /// The interceptors to consult after an attempt, in order.
    private let advisers: [any RequestInterceptor]
    private let standardValidation: ResponseValidation
    private let timebase: Timebase

    init(
        _ chain: InterceptorChain,
        advisers: [any RequestInterceptor],
        standardValidation: ResponseValidation,
        timebase: Timebase
    ) {
        self.chain = chain
        self.advisers = advisers
        self.standardValidation = standardValidation
        self.timebase = timebase
    }

    /// The first acceptable response.
    ///
    /// - Parameter running: records the attempts, for the error of a call that is ended externally.
    func attempt(
        _ request: HTTPRequest,
        for call: Call,
        in running: RunningCall<HTTPResponse>?
    ) async throws(NetworkError) -> HTTPResponse {
        var history = History(request: request, call: call, running: running)
        while true {
            do throws(NetworkError) {
                let response = try await makeAttempt(request, history.context)
                let fault = call.options.validation.fault(of: response, standard: standardValidation)
                if response.statusCode >= 400, fault?.kind != .status, try await isRepeated(response, &history) {
                    continue
                }
                // The error keeps the saved file's contents in memory.
                if let fault { throw fault.keepingBodyInMemory.changing { $0.isVerdict = true } }
                let marked = response.marked
                call.options.observation?.attemptSucceeded(marked)
                return marked
            } catch {
                call.options.observation?.attemptFailed(error)
                if try await waitForResume(after: error, of: history) { continue }
                try await prepareNext(after: error, &history)
            }
        }
    }

    /// The call's attempts so far.
    private struct History {
        let request: HTTPRequest
        let call: Call
        let running: RunningCall<HTTPResponse>?
        var attempts: [Attempt] = []

        /// The context of the running attempt, or of the next one.
        var context: RequestContext { RequestContext(call: call, attempt: attempts.count + 1) }

        mutating func failed(_ error: NetworkError, delay: Duration?) {
            let attempt = attempt(failedBy: error, delay: delay)
            attempts.append(attempt)
            running?.add(attempt)
        }

        /// Interceptors are consulted about the error, and may wait. If the call ends during that time, it fails with
        /// this error.
        func isAsking(about error: NetworkError) {
            if error.kind != .cancelled { running?.mayEnd(with: attempt(failedBy: error, delay: nil)) }
        }

        private func attempt(failedBy error: NetworkError, delay: Duration?) -> Attempt {
            Attempt(number: attempts.count + 1, error: error, request: request, delay: delay)
        }
    }

    /// Whether a pause of the download ended the attempt, and the download now resumes. Such an attempt does not count.
    private func waitForResume(after error: NetworkError, of history: History) async throws(NetworkError) -> Bool {
        guard error.kind == .cancelled, !Task.isCancelled, let files = history.call.options.files, files.mayStartAgain,
            files.gate.takeInterruption()
        else { return false }
        do {
            try await files.gate.waitUntilOpen()
        } catch {
            throw NetworkError.cancelled(history.request).completed(attempts: history.attempts)
        }
        history.call.options.observation?.retryDecided(after: .zero, .resumed)
        return true
    }

    /// Consults the interceptors about a response with an error status that the validation accepts.
    ///
    /// Whether to refresh or retry depends on the exchange, whatever the caller accepts.
    ///
    /// - Returns: whether another attempt follows. Otherwise the validation's decision applies.
    private func isRepeated(_ response: HTTPResponse, _ history: inout History) async throws(NetworkError) -> Bool {
        let error = NetworkError(kind: .status, reason: "status \(response.statusCode)", response: response)
        let next = await nextStep(after: error, history)
        guard next.delay != nil else {
            history.running?.mayEnd(with: nil)
            return false
        }
        // Moves a download's body out of its file.
        let failure = error.keepingBodyInMemory
        history.call.options.observation?.attemptFailed(failure)
        try await prepareNext(after: failure, next, &history)
        return true
    }

    /// Waits until the next attempt, or throws the error that ends the call.
    private func prepareNext(after error: NetworkError, _ history: inout History) async throws(NetworkError) {
        try await prepareNext(after: error, await nextStep(after: error, history), &history)
    }

    private func prepareNext(
        after error: NetworkError,
        _ next: NextStep,
        _ history: inout History
    ) async throws(NetworkError) {
        history.call.options.observation?.retryDecided(after: next.delay, next.reason)
        // An attempt that the deadline interrupted did not fail, so interceptors are not consulted.
        let isTooLate = error.transportFailure == .timeout(.deadline) && history.context.timeLeft == .zero
        if error.kind != .cancelled, !isTooLate { history.failed(error, delay: next.delay) }
        guard let delay = next.delay else {
            throw next.error.completed(request: history.request, attempts: history.attempts)
        }
        guard delay > .zero else { return }
        do {
            try await timebase.sleep(for: delay)
        } catch {
            throw NetworkError.cancelled(history.request).completed(attempts: history.attempts)
        }
    }

    private func makeAttempt(
        _ request: HTTPRequest,
        _ context: RequestContext
    ) async throws(NetworkError) -> HTTPResponse {
        context.call.options.observation?.beginAttempt(request)
        if Task.isCancelled { throw .cancelled(request) }
        do {
            return try await chain.pass(request, context: context)
        } catch {
            throw NetworkError.transport(error, request: request).keepingBodyInMemory.ofInterceptor
        }
    }

    /// The delay before another attempt, or no delay and the error to throw.
    private struct NextStep {
        var delay: Duration?
        let error: NetworkError
        let reason: NetworkEvent.RetryChoice.Reason

        /// The step after an error that ends the call.
        static func end(_ error: NetworkError, _ reason: NetworkEvent.RetryChoice.Reason) -> Self {
            Self(delay: nil, error: error, reason: reason)
        }
    }

    /// Consults the interceptors, and applies the engine's limits.
    private func nextStep(after error: NetworkError, _ history: History) async -> NextStep {
        let (request, context) = (history.request, history.context)
        if Task.isCancelled {
            return .end(error.kind == .cancelled ? error : .cancelled(error.request ?? request), .cancelled)
        }
        if error.kind == .cancelled { return .end(error, .cancelled) }
        if context.timeLeft == .zero { return .end(error, .deadline) }
        guard request.body.isReplayable else { return .end(error, .bodyNotReplayable) }
        if context.call.options.storage?.wasApplied == true { return .end(error, .notAdvised) }
        let replays = context.call.options.storage?.replays ?? 0
        history.isAsking(about: error)
        let advice = await advisers.advice(after: error.statusWithoutBody ?? error, context: context)
        // The call may have been canceled while it waited for the interceptors.
        if Task.isCancelled { return .end(.cancelled(error.request ?? request), .cancelled) }
        switch advice {
        case .doNotRetry: return .end(error, .notAdvised)
        // The attempts are counted after the interceptors have decided, because they may have granted a replay.
        case .retry where context.isLastAttempt, .retryAfter where context.isLastAttempt:
            return .end(error, .attemptLimit)
        case .retry:
            let isReplay = context.call.options.storage?.replays ?? 0 > replays
            return NextStep(delay: .zero, error: error, reason: isReplay ? .refreshed : .advised)
        case .retryAfter(let delay):
            // Sleeping until the deadline would only hide the error.
            if let timeLeft = context.timeLeft, delay >= timeLeft { return .end(error, .deadline) }
            return NextStep(delay: max(.zero, delay), error: error, reason: .advised)
        case .fail(let replacement): return .end(.replacing(error, by: replacement), .errorReplaced)
        }
    }
}

extension NetworkError {
    /// The error that an interceptor returned instead of another one.
    fileprivate static func replacing(_ error: NetworkError, by replacement: any Error) -> NetworkError {
        if let replacement = replacement as? NetworkError { return replacement.ofInterceptor }
        if replacement is CancellationError { return .cancelled(error.request) }
        return NetworkError(
            kind: .interceptor,
            reason: "an interceptor gave up with \(type(of: replacement)) after: \(error.kind.rawValue)",
            transportFailure: error.transportFailure,
            request: error.request,
            response: error.response,
            underlying: replacement
        )
    }

    /// The same error, with a response that may belong to another call made by an interceptor.
    fileprivate var ofInterceptor: NetworkError { isVerdict ? changing { $0.isVerdict = false } : self }

    /// The error for an error status, for a failure after the head: the body would not change the decision.
    fileprivate var statusWithoutBody: NetworkError? {
        guard kind != .status, transportFailure != nil, let response, response.statusCode >= 400 else { return nil }
        return changing {
            $0.kind = .status
            $0.reason = "status \(response.statusCode), and the body is not complete: \(reason)"
            $0.underlying = self
        }
    }

    /// The same error with its response file moved into memory, because nothing else removes the file. A stream is
    /// dropped to free its connection.
    fileprivate var keepingBodyInMemory: NetworkError {
        guard let response, response.body.data == nil || response.upgrade != nil else { return self }
        return changing { $0.response = response.movingFileIntoMemory().withoutStream }
    }
}

extension ResponseValidation {
    /// The reason why a response is not acceptable; `nil` if it is.
    fileprivate func fault(of response: HTTPResponse, standard: ResponseValidation) -> NetworkError? {
        do throws(NetworkError) {
            try check(response, standard: standard)
            return nil
        } catch {
            return error
        }
    }
}

extension Attempt {
    fileprivate init(number: Int, error: NetworkError, request: HTTPRequest, delay: Duration?) {
        self.init(
            number: number,
            request: (error.request ?? request).description,
            kind: error.kind,
            statusCode: error.statusCode,
            transportFailure: error.transportFailure,
            delay: delay
        )
    }
}
