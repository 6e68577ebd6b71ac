public import Foundation

extension NetworkProvider {
    /// The decoded body of a successful response.
    ///
    /// JSON, by the configuration's decoder with the target's key strategy. An optional value is `nil` for a 204 and for
    /// a body without bytes.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(target, .json)
    }

    /// The decoded body, for values that must not leave the caller's actor: the call runs elsewhere, the decoding here.
    ///
    /// A deadline that passes during the decoding ends the call when the decoding is done.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        let deadline = engine.deadlineFromNow
        let response = try await send(target)
        return try RequestEngine.committed(to: response) { () throws(NetworkError) in
            let value = try response.json(type, by: engine.decoder(for: target))
            guard deadline?.timeLeft != .zero else { throw .deadlinePassed(response.request) }
            return value
        }
    }

    /// Makes a call whose answer matters only by succeeding; the body is ignored.
    @concurrent
    @discardableResult
    public func request(_ target: Target) async throws(NetworkError) -> UndecodedAnswer {
        try await value(target, .nothing)
        return UndecodedAnswer()
    }

    /// Makes a call whose answer matters only by succeeding, where the result has to be `Void`.
    @concurrent
    @_disfavoredOverload
    public func request(_ target: Target) async throws(NetworkError) {
        try await value(target, .nothing)
    }

    /// What a decoding of the caller's choice makes of a successful response.
    @concurrent
    public func request<Value: Sendable>(
        _ target: Target,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        try await value(target, decoding)
    }

    /// The decoded body together with the response that it came in.
    @concurrent
    public func response<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> NetworkResponse<Value> {
        try await value(target, ResponseDecoding<Value>.json.map { NetworkResponse(value: $0, response: $1) })
    }

    /// The bytes of a successful response.
    @concurrent
    public func data(_ target: Target) async throws(NetworkError) -> Data {
        try await value(target, .data)
    }

    /// The text of a successful response, in the charset it names.
    @concurrent
    public func string(_ target: Target) async throws(NetworkError) -> String {
        try await value(target, .string)
    }

    /// The successful response itself.
    @concurrent
    public func send(_ target: Target) async throws(NetworkError) -> HTTPResponse {
        try await value(target, .response)
    }

    /// Sends a target's body, and decodes the answer.
    ///
    /// - Parameter progress: reports the bytes that are sent, not those of the response.
    @concurrent
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> Value {
        try await value(target, .json, .upload, progress)
    }

    /// Sends a target's body, reporting how far it has come; the body of the response is ignored.
    @concurrent
    @discardableResult
    public func upload(
        _ target: Target,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> UndecodedAnswer {
        try await value(target, .nothing, .upload, progress)
        return UndecodedAnswer()
    }

    /// Sends a target's body and ignores the body of the response, where the result has to be `Void`.
    @concurrent
    @_disfavoredOverload
    public func upload(
        _ target: Target,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) {
        try await value(target, .nothing, .upload, progress)
    }

    private func value<Value: Sendable>(
        _ target: Target,
        _ decoding: ResponseDecoding<Value>,
        _ use: RequestBuilder.Use = .request,
        _ progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> Value {
        var options = CallOptions(target: target)
        options.progress = progress
        options.progressDirection = use.progressDirection
        let request = try engine.builder.request(for: target, use: use)
        return try await engine.value(of: request, options, decoding: decoding)
    }
}
