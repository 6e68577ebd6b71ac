/// Makes attempts until one brings an acceptable response, advice or the limit ends it, or the call does.
package struct AttemptLoop: Sendable {
    let chain: InterceptorChain
    let limit: Int
    let standardValidation: ResponseValidation
    let timebase: Timebase

    /// The first acceptable response.
    ///
    /// - Parameter log: is told of what fails, for a call that is ended from outside.
    func response(
        to request: HTTPRequest,
        for call: RequestContext.Call,
        validation: ResponseValidation,
        log: (any CallLog)?
    ) async throws(NetworkError) -> HTTPResponse {
        var attempts: [Attempt] = []
        var number = 1
        while true {
            let context = RequestContext(call: call, attempt: number)
            do throws(NetworkError) {
                return try await attempt(request, context, validation)
            } catch {
                let next = await nextStep(after: error, of: request, context)
                let attempt = Attempt(number: number, error: error, request: request, delay: next.delay)
                attempts.append(attempt)
                log?.failed(attempt)
                guard let delay = next.delay else { throw next.error.completed(request: request, attempts: attempts) }
                try await pause(delay, before: request, attempts)
                number += 1
            }
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
        do throws(NetworkError) {
            try validation.check(response, standard: standardValidation)
            return response
        } catch {
            throw error.keepingBodyInMemory
        }
    }

    /// The pause before another attempt, or no pause and the error to end with.
    private func nextStep(
        after error: NetworkError,
        of request: HTTPRequest,
        _ context: RequestContext
    ) async -> (delay: Duration?, error: NetworkError) {
        if Task.isCancelled { return (nil, error.kind == .cancelled ? error : .cancelled(error.request ?? request)) }
        guard error.kind != .cancelled, context.attempt < limit, request.body.isReplayable else { return (nil, error) }
        switch await chain.advice(after: error, context: context) {
        case .doNotRetry: return (nil, error)
        case .retry: return (.zero, error)
        case .retryAfter(let delay):
            // Sleeping into the deadline would only hide what went wrong.
            if let timeLeft = context.timeLeft, delay >= timeLeft { return (nil, error) }
            return (max(.zero, delay), error)
        case .fail(let replacement): return (nil, .replacing(error, by: replacement))
        }
    }

    private func pause(
        _ delay: Duration,
        before request: HTTPRequest,
        _ attempts: [Attempt]
    ) async throws(NetworkError) {
        guard delay > .zero else { return }
        do {
            try await timebase.sleep(for: delay)
        } catch {
            throw NetworkError.cancelled(request).completed(attempts: attempts)
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

    /// The same error, its response's file turned into bytes: nobody else will remove it.
    fileprivate var keepingBodyInMemory: NetworkError {
        guard let response, case .file = response.body else { return self }
        return NetworkError(
            kind: kind,
            reason: reason,
            transportFailure: transportFailure,
            request: request,
            response: response.movingFileIntoMemory(),
            underlying: underlying,
            attempts: attempts
        )
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
