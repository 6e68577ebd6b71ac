// Written by .ci/mapped-errors from HTTPClient.swift. Change that file.
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension MappedHTTPClient {
    /// Throws an error of kind `.unsupported` for conflicting interceptors or a transport that is not available.
    public func validate() throws(Failure) {
        try mapper.mappingImmediate { () throws(NetworkError) -> Void in try client.validate() }
    }

    /// Returns the request for an endpoint, as it is before any interceptor runs. Sends nothing.
    public func urlRequest(for endpoint: Endpoint) throws(Failure) -> URLRequest {
        try mapper.mappingImmediate { () throws(NetworkError) in try client.urlRequest(for: endpoint) }
    }

    /// Returns the decoded body of a successful response.
    ///
    /// Decodes JSON with the configuration's decoder. An optional value is `nil` for status 204 and for an empty body.
    @concurrent
    public func request<Value: Decodable & Sendable>(_ endpoint: Endpoint) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint) }
    }

    /// Returns the bytes of a successful response.
    @concurrent
    public func request(_ endpoint: Endpoint) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint) }
    }

    /// Returns the value that a custom decoding makes of a successful response.
    @concurrent
    public func request<Value: Sendable>(
        _ endpoint: Endpoint,
        decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint, decoding: decoding) }
    }

    /// Sends a value as JSON and returns the decoded body of the response.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in
            try await client.request(endpoint, json: value, encoder: encoder)
        }
    }

    /// Sends a value as JSON and ignores the body of the response.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    @concurrent
    @discardableResult
    public func request(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) -> UndecodedResponse {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await client.request(endpoint, json: value, encoder: encoder)
        }
        return UndecodedResponse()
    }

    /// Sends a value as JSON and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func request(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await client.request(endpoint, json: value, encoder: encoder)
        }
    }

    /// Sends a value as JSON and returns a successful response. The caller can ignore it.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    @concurrent
    @discardableResult
    public func send(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) -> HTTPResponse {
        try await mapper.mapping { () throws(NetworkError) in
            try await client.send(endpoint, json: value, encoder: encoder)
        }
    }

    /// Sends a body that can be a file or a stream, in place of the endpoint's body, and returns the bytes of the
    /// response.
    @concurrent
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint, body: body) }
    }

    /// Returns the value of an endpoint that has its own decoding, validation or building.
    @concurrent
    public func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(endpoint) }
    }

    /// Returns the decoded body together with its response.
    @concurrent
    public func response<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) async throws(Failure) -> NetworkResponse<Value> {
        try await mapper.mapping { () throws(NetworkError) in try await client.response(endpoint, as: type) }
    }

    /// Returns a successful response. The caller can ignore it.
    @concurrent
    @discardableResult
    public func send(_ endpoint: Endpoint) async throws(Failure) -> HTTPResponse {
        try await mapper.mapping { () throws(NetworkError) in try await client.send(endpoint) }
    }

    /// Returns the head of a successful response, with a body that is read while it arrives.
    ///
    /// Attempts, redirects and the deadline apply until the head arrives. The timeout limits the time without any byte.
    /// After the head it runs only while a reader waits for bytes.
    @concurrent
    public func stream(_ endpoint: Endpoint) async throws(Failure) -> MappedSequence<ResponseStream, Failure> {
        mapper.mapping(try await mapper.mapping { () throws(NetworkError) in try await client.stream(endpoint) })
    }

    /// Returns the events that a server sends. They reconnect when a connection ends.
    ///
    /// The first request is sent when the first event is requested. The timeout and the deadline limit the time to the
    /// head of each connection. `ServerSentEvents.idleTimeout` limits silence after it.
    public func events(_ endpoint: Endpoint) -> MappedSequence<ServerSentEvents, Failure> {
        mapper.mapping(client.events(endpoint))
    }

    /// Returns the data of a server's events, decoded as JSON.
    ///
    /// The first request is sent when the first value is requested.
    public func events<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type
    ) -> MappedSequence<DecodedEvents<Value>, Failure> {
        mapper.mapping(client.events(endpoint, as: type))
    }

    /// Sends a prepared request to the URL it contains and returns the decoded body of the response.
    @concurrent
    public func request<Value: Decodable & Sendable>(_ urlRequest: URLRequest) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(urlRequest) }
    }

    /// Sends a prepared request and returns the bytes of the response.
    @concurrent
    public func request(_ urlRequest: URLRequest) async throws(Failure) -> Data {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(urlRequest) }
    }

    /// Sends a prepared request and returns the value that a custom decoding makes of the response.
    @concurrent
    public func request<Value: Sendable>(
        _ urlRequest: URLRequest,
        decoding: ResponseDecoding<Value>
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in try await client.request(urlRequest, decoding: decoding) }
    }

    /// Sends a prepared request and returns the response.
    @concurrent
    @discardableResult
    public func send(_ urlRequest: URLRequest) async throws(Failure) -> HTTPResponse {
        try await mapper.mapping { () throws(NetworkError) in try await client.send(urlRequest) }
    }
}
