public import Foundation

extension HTTPClient {
    /// The decoded body of a successful response.
    ///
    /// JSON, by the configuration's decoder. An optional value is `nil` for a 204 and for a body without bytes.
    @concurrent
    public func request<Value: Decodable & Sendable>(_ endpoint: Endpoint) async throws(NetworkError) -> Value {
        try await request(TypedEndpoint(endpoint))
    }

    /// The bytes of a successful response.
    @concurrent
    public func request(_ endpoint: Endpoint) async throws(NetworkError) -> Data {
        try await request(TypedEndpoint(endpoint, decoding: .data))
    }

    /// What a decoding of the caller's choice makes of a successful response.
    @concurrent
    public func request<Value: Sendable>(
        _ endpoint: Endpoint,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        try await request(TypedEndpoint(endpoint, decoding: decoding))
    }

    /// Sends a value as JSON, by this encoder or else the configuration's, and decodes what comes back.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(NetworkError) -> Value {
        try await request(endpoint.json(value, encoder: encoder ?? engine.configuration.encoder))
    }

    /// Sends a value as JSON, by this encoder or else the configuration's; the body of the response is ignored.
    @concurrent
    @discardableResult
    public func request(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(NetworkError) -> UndecodedAnswer {
        try await send(endpoint.json(value, encoder: encoder ?? engine.configuration.encoder))
        return UndecodedAnswer()
    }

    /// Sends a value as JSON and ignores the body of the response, where the result has to be `Void`.
    @concurrent
    @_disfavoredOverload
    public func request(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(NetworkError) {
        try await send(endpoint.json(value, encoder: encoder ?? engine.configuration.encoder))
    }

    @concurrent
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(NetworkError) -> Data {
        var call = TypedEndpoint(endpoint, decoding: .data)
        call.building = { $0.body = body }
        return try await request(call)
    }

    /// What an endpoint with a decoding, and perhaps a building, of its own brings.
    @concurrent
    public func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(NetworkError) -> Value {
        try await value(of: ClientCall(endpoint, below: baseURL), endpoint.decoding)
    }

    /// The decoded body together with the response that it came in.
    @concurrent
    public func response<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> NetworkResponse<Value> {
        let decoding = ResponseDecoding<Value>.json.map { NetworkResponse(value: $0, response: $1) }
        return try await request(TypedEndpoint(endpoint, decoding: decoding))
    }

    /// The successful response itself; for calls whose answer matters only by succeeding, too.
    @concurrent
    @discardableResult
    public func send(_ endpoint: Endpoint) async throws(NetworkError) -> HTTPResponse {
        try await request(TypedEndpoint(endpoint, decoding: .response))
    }
}
