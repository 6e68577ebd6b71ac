// A program with one call has one copy of these functions, without another one for each type that the package itself
// awaits: the compiler would generate 40 KB of them.

extension RequestEngine {
    /// Runs a prepared request and waits for its value, off the caller's actor.
    @_semantics("optimize.sil.specialize.generic.never")
    @concurrent
    package func value<Value: Sendable>(
        of request: HTTPRequest,
        _ options: CallOptions,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        let (request, call) = try begin(request, options)
        return try await value(of: request, call, decoding: decoding)
    }

    /// Creates the call for a request. Its caller waits for the value.
    func begin(
        _ request: HTTPRequest,
        _ options: CallOptions
    ) throws(NetworkError) -> (HTTPRequest, Call) {
        var (request, options) = (request, options)
        try complete(&request, &options)
        options.exchangesKeepDeadline = exchangesKeepDeadline
        if !observers.isEmpty { options.observe(request, by: observers) }
        return (request, Call(options))
    }

    /// Runs a call and waits for its value.
    @_semantics("optimize.sil.specialize.generic.never")
    func value<Value: Sendable>(
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
        guard let deadline = call.options.transport.deadline else {
            return try decoded(try await perform(request, call, in: nil), call, decoding)
        }
        // A download's decoding moves it to its destination. That step must not be abandoned halfway.
        let mayEndDecoding = decoding.decodesBody && call.options.files == nil
        if call.options.exchangesKeepDeadline {
            let response = try await perform(request, call, in: nil)
            guard mayEndDecoding else { return try decoded(response, call, decoding) }
            return try await decodedInTime(response, call, decoding, until: deadline)
        }
        guard mayEndDecoding else {
            return try decoded(try await perform(request, call, until: deadline), call, decoding)
        }
        let value = DecodedValue(decoding)
        _ = try await perform(request, call, until: deadline) { [self] response throws(NetworkError) in
            try value.decode(response, of: call, by: self)
        }
        return try value.result.get()
    }

    /// The body size up to which decoding takes less time than starting and ending a task for it.
    private static let mostDecodedInPlace = 64 << 10

    /// Decodes a body that has arrived before the deadline. Only the decoding of a large one ends at the deadline.
    @inline(__always)
    private func decodedInTime<Value: Sendable>(
        _ response: HTTPResponse,
        _ call: Call,
        _ decoding: ResponseDecoding<Value>,
        until deadline: Deadline
    ) async throws(NetworkError) -> Value {
        if let data = response.body.data, data.count > Self.mostDecodedInPlace {
            return try await decodedInTask(response, call, decoding, until: deadline)
        }
        let value = try decoded(response, call, decoding)
        guard deadline.timeLeft > .zero else { throw .deadlinePassed(response.request, of: deadline) }
        return value
    }

    /// Decodes a large body in a task, which is abandoned at the deadline. Not inlined, to keep the frame of a usual
    /// call small.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private func decodedInTask<Value: Sendable>(
        _ response: HTTPResponse,
        _ call: Call,
        _ decoding: ResponseDecoding<Value>,
        until deadline: Deadline
    ) async throws(NetworkError) -> Value {
        let value = DecodedValue(decoding)
        let running = RunningCall<HTTPResponse>(timers: timers, request: response.request)
        _ = try await running.run(until: deadline) {
            Task { [self] in
                do throws(NetworkError) {
                    try value.decode(response, of: call, by: self)
                    return running.finish(.success(response))
                } catch {
                    return running.finish(.failure(error))
                }
            }
        }.get()
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

    /// The result of the last step, unless the task was canceled before the step completed.
    ///
    /// Decoding does not check for cancellation, and the caller's code may ignore it. A placed download is kept: the
    /// file is at its destination.
    static func committed<Value>(
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

/// The value of a call that runs and decodes in a task. The task's outcome is the response.
package struct DecodedValue<Value: Sendable>: Sendable {
    private let decoding: ResponseDecoding<Value>
    private let state = Locked<Result<Value, NetworkError>>(.failure(.cancelled(nil)))

    init(_ decoding: ResponseDecoding<Value>) { self.decoding = decoding }

    /// The value, after the task has succeeded.
    var result: Result<Value, NetworkError> { state.withLock { $0 } }

    func decode(_ response: HTTPResponse, of call: Call, by engine: RequestEngine) throws(NetworkError) {
        let value = try engine.decoded(response, call, decoding)
        state.withLock { $0 = .success(value) }
    }

    /// Passes on a value that is not delivered, because the call had already ended.
    func unclaimed() {
        if case .success(let value) = result { decoding.onUnclaimed?(value) }
    }
}
