/// Makes attempts until one brings an acceptable response, advice or the limit ends it, or the call does.
package struct AttemptLoop: Sendable {
    let chain: InterceptorChain
    let standardValidation: ResponseValidation
    let timebase: Timebase

    /// The first acceptable response.
    ///
    /// - Parameter record: the attempts, for the error of a call that is ended from outside.
    func response(
        to request: HTTPRequest,
        for call: RequestContext.Call,
        validation: ResponseValidation,
        record: CallRecord?
    ) async throws(NetworkError) -> HTTPResponse {
        var history = History(request: request, call: call, record: record)
        while true {
            do throws(NetworkError) {
                return try await attempt(request, history.context, validation)
            } catch {
                if try await hasWaited(after: error, of: history) { continue }
                try await prepareNext(after: error, &history)
            }
        }
    }

    /// The attempts of a call so far.
    private struct History {
        let request: HTTPRequest
        let call: RequestContext.Call
        let record: CallRecord?
        var attempts: [Attempt] = []

        /// The context of the attempt that runs or is next.
        var context: RequestContext { RequestContext(call: call, attempt: attempts.count + 1) }

        mutating func failed(_ error: NetworkError, delay: Duration?) {
            let attempt = Attempt(number: attempts.count + 1, error: error, request: request, delay: delay)
            attempts.append(attempt)
            record?.add(attempt)
        }
    }

    /// Whether the attempt had ended only because the download was paused, and it goes on now; that does not count.
    private func hasWaited(after error: NetworkError, of history: History) async throws(NetworkError) -> Bool {
        guard error.kind == .cancelled, !Task.isCancelled, history.request.body.isReplayable,
            let gate = history.call.files?.gate, gate.takeInterruption()
        else { return false }
        do {
            try await gate.waitUntilOpen()
        } catch {
            throw NetworkError.cancelled(history.request).completed(attempts: history.attempts)
        }
        return true
    }

    /// Waits as advised until the next attempt, or throws what the call ends with.
    private func prepareNext(after error: NetworkError, _ history: inout History) async throws(NetworkError) {
        let next = await nextStep(after: error, of: history.request, history.context)
        // What was cut off from outside did not fail: nothing was wrong with it.
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

    private func attempt(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ validation: ResponseValidation
    ) async throws(NetworkError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(request) }
        let response: HTTPResponse
        do {
            response = try await chain.send(request, context: context)
        } catch {
            throw .transport(error, request: request).keepingBodyInMemory
        }
        try validation.accept(response, standard: standardValidation)
        return response.marked
    }

    /// The pause before another attempt, or no pause and the error to end with.
    private func nextStep(
        after error: NetworkError,
        of request: HTTPRequest,
        _ context: RequestContext
    ) async -> (delay: Duration?, error: NetworkError) {
        if Task.isCancelled { return (nil, error.kind == .cancelled ? error : .cancelled(error.request ?? request)) }
        guard error.kind != .cancelled, context.timeLeft != .zero, request.body.isReplayable else {
            return (nil, error)
        }
        let advice = await chain.advice(after: error, context: context)
        // Who waited for the advice may have been cancelled meanwhile.
        if Task.isCancelled { return (nil, .cancelled(error.request ?? request)) }
        switch advice {
        case .doNotRetry: return (nil, error)
        // Counted after the advice, which may have granted a replay.
        case .retry where context.isLastAttempt, .retryAfter where context.isLastAttempt: return (nil, error)
        case .retry: return (.zero, error)
        case .retryAfter(let delay):
            // Sleeping into the deadline would only hide what went wrong.
            if let timeLeft = context.timeLeft, delay >= timeLeft { return (nil, error) }
            return (max(.zero, delay), error)
        case .fail(let replacement): return (nil, .replacing(error, by: replacement))
        }
    }
}

extension NetworkError {
    /// The error that an interceptor put in the place of another.
    fileprivate static func replacing(_ error: NetworkError, by replacement: any Error) -> NetworkError {
        if let replacement = replacement as? NetworkError { return replacement }
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

    /// The same error, its response's file turned into bytes: nobody else will remove it. Of a stream nothing is kept,
    /// so that the connection is free.
    fileprivate var keepingBodyInMemory: NetworkError {
        guard let response, response.body.data == nil else { return self }
        return NetworkError(
            kind: kind,
            reason: reason,
            transportFailure: transportFailure,
            request: request,
            response: response.movingFileIntoMemory().withoutStream,
            underlying: underlying,
            attempts: attempts
        )
    }
}

extension ResponseValidation {
    /// Throws when the response is not acceptable, with what the response was saved to in memory.
    fileprivate func accept(_ response: HTTPResponse, standard: ResponseValidation) throws(NetworkError) {
        do throws(NetworkError) {
            try check(response, standard: standard)
        } catch {
            throw error.keepingBodyInMemory
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
