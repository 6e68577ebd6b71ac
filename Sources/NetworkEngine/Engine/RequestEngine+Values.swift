extension RequestEngine {
    /// Runs a prepared request and waits for its value, off the caller's actor.
    @concurrent
    package func value<Value: Sendable>(
        of request: HTTPRequest,
        _ options: CallOptions,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        let (request, call) = try begin(request, options, decodesBody: decoding.decodesBody)
        return try await value(of: request, call, decoding: decoding)
    }

    /// Makes the call of a request. Its caller waits for the value.
    package func begin(
        _ request: HTTPRequest,
        _ options: CallOptions,
        decodesBody: Bool
    ) throws(NetworkError) -> (HTTPRequest, Call) {
        var (request, options) = (request, options)
        try complete(&request, &options)
        // A download is moved to its destination by its decoding. That step is not abandoned halfway.
        let isDecodedInTime = decodesBody && options.files == nil
        options.exchangesKeepDeadline = exchangesKeepDeadline && !isDecodedInTime
        if !observers.isEmpty { options.observe(request, by: observers) }
        return (request, Call(options))
    }

    /// Runs a call and waits for its value.
    package func value<Value: Sendable>(
        of request: HTTPRequest,
        _ call: Call,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        do throws(NetworkError) {
            let value = try await valueInTime(of: request, call, decoding)
            call.end(nil)
            return value
        } catch {
            call.end(error)
            throw error
        }
    }

    @inline(__always)
    private func valueInTime<Value: Sendable>(
        of request: HTTPRequest,
        _ call: Call,
        _ decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        guard let deadline = call.options.transport.deadline, !call.options.exchangesKeepDeadline else {
            return try decoded(try await perform(request, call, in: nil), call, decoding)
        }
        if !decoding.decodesBody || call.options.files != nil {
            return try decoded(try await perform(request, call, until: deadline), call, decoding)
        }
        let value = DecodedValue(decoding)
        _ = try await perform(request, call, until: deadline) { [self] response throws(NetworkError) in
            try value.decode(response, of: call, by: self)
        }
        return try value.result.get()
    }

    func decoded<Value>(
        _ response: HTTPResponse,
        _ call: Call,
        _ decoding: ResponseDecoding<Value>
    ) throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try Self.committed(to: response) { () throws(NetworkError) in
                let decoder = decoder(for: call.options.target)
                guard let observation = call.options.observation, decoding.decodesBody else {
                    return try decoding.value(of: response, standard: decoder)
                }
                return try observation.decoding { () throws(NetworkError) in
                    try decoding.value(of: response, standard: decoder)
                }
            }
        } catch {
            throw decodable(error, call)
        }
    }

    /// The result of the last step, unless the task was canceled before the step was done.
    ///
    /// Decoding does not notice a cancellation, and the caller's code may ignore one. A placed download is kept: the
    /// file is at its destination.
    package static func committed<Value>(
        to response: HTTPResponse,
        _ step: () throws(NetworkError) -> Value
    ) throws(NetworkError) -> Value {
        let isFile = if case .file = response.body { true } else { false }
        let value: Value
        do throws(NetworkError) {
            value = try step()
        } catch {
            if isFile { response.discardFile() }
            throw !isFile && Task.isCancelled ? .cancelled(response.request) : error
        }
        if !isFile, Task.isCancelled { throw .cancelled(response.request) }
        return value
    }
}

/// The value of a call that runs in a task, which also decodes it. The outcome of the task is the response.
package struct DecodedValue<Value: Sendable>: Sendable {
    private let decoding: ResponseDecoding<Value>
    private let state = Locked<Result<Value, NetworkError>>(.failure(.cancelled(nil)))

    package init(_ decoding: ResponseDecoding<Value>) { self.decoding = decoding }

    /// The value, after the task has succeeded.
    package var result: Result<Value, NetworkError> { state.withLock { $0 } }

    package func decode(_ response: HTTPResponse, of call: Call, by engine: RequestEngine) throws(NetworkError) {
        let value = try engine.decoded(response, call, decoding)
        state.withLock { $0 = .success(value) }
    }

    /// Passes on a value that is not delivered, because the call ended before.
    func unclaimed() {
        if case .success(let value) = result { decoding.onUnclaimed?(value) }
    }
}
