public import Foundation

/// Awaitable calls.
///
/// Calls run off the caller's actor. Canceling the awaiting task cancels the call, which throws an error of kind
/// `.cancelled`.
extension NetworkCalling {
    /// Returns the decoded body of a successful response.
    ///
    /// JSON is decoded with the configuration's decoder and the target's key strategy. `Data` receives the bytes. An
    /// optional value is `nil` for status 204 and for an empty body.
    public func request<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        try await run(request, .json, settings: CallSettings())
    }

    /// Returns the decoded body as a value that must not leave the caller's actor.
    ///
    /// The call runs off the caller's actor, and the decoding runs on it. If the deadline passes during decoding, the
    /// call fails when the decoding returns.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ request: Request,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> Value {
        var settings = CallSettings()
        let session = CallSession(sharesDeadline: true)
        settings.session = session
        do throws(NetworkError) {
            let answer = try await runUnmapped(request, .undecoded, settings: settings)
            let current = session.current
            let value = try answer.decoded(as: type, in: current?.call, until: current?.deadline)
            session.call?.end(nil)
            return value
        } catch {
            session.call?.end(error)
            throw mapped(error)
        }
    }

    /// Returns the bytes of a successful response, for a call without a result type. You can ignore the result.
    ///
    /// ```swift
    /// try await provider.request(.delete(7))                   // ignores the body
    /// let data = try await provider.request(.user(7))          // the bytes of the body
    /// let user: User = try await provider.request(.user(7))    // decodes the body
    /// ```
    @discardableResult
    public func request(_ request: Request) async throws(Failure) -> Data {
        try await run(request, .discardableData, settings: CallSettings())
    }

    /// Sends a request and ignores the response body, where the result type is `Void`.
    @_disfavoredOverload
    public func request(_ request: Request) async throws(Failure) {
        try await run(request, .nothing, settings: CallSettings())
    }

    /// Returns the value that a decoding produces from a successful response.
    public func request<Value: Sendable>(
        _ request: Request,
        decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> Value {
        try await run(request, decoding, settings: CallSettings())
    }

    /// Returns the decoded body together with its response.
    public func response<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> NetworkResponse<Value> {
        try await run(request, .withResponse(), settings: CallSettings())
    }

    /// Returns the bytes of a successful response.
    public func data(_ request: Request) async throws(Failure) -> Data {
        try await run(request, .data, settings: CallSettings())
    }

    /// Returns the text of a successful response, decoded with the response's charset.
    public func string(_ request: Request) async throws(Failure) -> String {
        try await run(request, .string, settings: CallSettings())
    }

    /// Returns a successful response. You can ignore the result.
    @discardableResult
    public func send(_ request: Request) async throws(Failure) -> HTTPResponse {
        try await run(request, .response, settings: CallSettings())
    }
}

/// A response that the caller decodes.
package struct UndecodedAnswer: Sendable {
    package let response: HTTPResponse
    private let decoder: BodyDecoder?
    /// The value that a mock returns instead of a body.
    private let value: (any Sendable)?

    fileprivate init(_ response: HTTPResponse, _ decoder: BodyDecoder) {
        (self.response, self.decoder, value) = (response, decoder, nil)
    }

    /// Decodes the value on the caller's actor.
    package func decoded<Value: Decodable>(
        as type: Value.Type,
        in call: ObservedCall?,
        until deadline: Deadline? = nil
    ) throws(NetworkError) -> Value {
        if let value {
            if let value = value as? Value { return value }
            let reason = "the mock has a \(Swift.type(of: value)), and \(type) was asked for"
            throw NetworkError(kind: .decoding, reason: reason, response: response)
        }
        return try RequestEngine.committed(to: response) { () throws(NetworkError) in
            let value = try ObservedCall.decoding(in: call) { () throws(NetworkError) in
                try response.json(type, by: decoder ?? BodyDecoder(JSONDecoder()))
            }
            guard deadline?.timeLeft != .zero else { throw .deadlinePassed(response.request, of: deadline) }
            return value
        }
    }
}

extension UndecodedAnswer: ValueWithResponse {
    /// `Data` is a body and is decoded.
    package init?(value: any Sendable, response: HTTPResponse) {
        if value is Data { return nil }
        (self.response, self.decoder, self.value) = (response, nil, value)
    }
}

extension ResponseDecoding where Value == UndecodedAnswer {
    package static var undecoded: Self {
        Self(decodesBody: false) { UndecodedAnswer($0, $1) }
    }
}

extension ResponseDecoding {
    /// JSON with its response.
    package static func withResponse<Body: Decodable & Sendable>() -> Self where Value == NetworkResponse<Body> {
        ResponseDecoding<Body>.json.map { NetworkResponse(value: $0, response: $1) }
    }
}
