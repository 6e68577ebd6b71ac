public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests to endpoints below one base URL, without an enum of targets.
///
/// ```swift
/// let client = HTTPClient(baseURL: api)
/// let user: User = try await client.request(.get("/users/7"))
/// let avatar: Data = try await client.request(.get("/users/7/avatar"))
/// ```
/// A client has the same interceptors, attempts, redirects, validation and decoding as a `NetworkProvider`. It is a
/// value and cheap to copy. Copies share one engine. Every awaited method runs off the caller's actor.
public struct HTTPClient: HTTPClientContract {
    /// The URL that endpoint paths are appended to, unless `NetworkConfiguration.baseURL` replaces it.
    ///
    /// A `TokenSource` sends its token only to the origin of the URL that is used, unless the source names others.
    public let baseURL: URL
    package let engine: RequestEngine

    /// Creates a client that runs interceptors in the given order.
    ///
    /// A base URL that is not an `http(s)` URL fails every call with `.invalidRequest`, before any I/O.
    public init(
        baseURL: URL,
        interceptors: [any RequestInterceptor] = [],
        configuration: NetworkConfiguration = .init()
    ) {
        self.baseURL = baseURL
        engine = RequestEngine(interceptors: interceptors, configuration: configuration)
    }

    /// Returns a copy of the client with additional interceptors, which run after the existing ones.
    ///
    /// ```swift
    /// let report: Data = try await client.adding(RetryPolicy(maxAttempts: 5)).request(.get("/report"))
    /// ```
    /// Where a list can contain a policy only once, the new policy replaces the existing one.
    public func adding(_ interceptors: any RequestInterceptor...) -> HTTPClient {
        HTTPClient(
            baseURL: baseURL,
            interceptors: engine.interceptors.containing(interceptors),
            configuration: engine.configuration
        )
    }

    /// Throws an error of kind `.unsupported` for conflicting interceptors or a transport that is not available.
    public func validate() throws(NetworkError) {
        try engine.interceptors.validate()
        try engine.configuration.transport.validate()
    }

    /// Returns the request for an endpoint, as it is before any interceptor runs. Sends nothing.
    public func urlRequest(for endpoint: Endpoint) throws(NetworkError) -> URLRequest {
        let target = ClientTarget(endpoint, below: baseURL)
        var options = CallOptions(target: target)
        var request = try options.request(for: target, by: engine.builder.rules)
        try engine.complete(&request, &options)
        return request.urlRequest
    }
}

extension HTTPClient {
    /// Returns the decoded body of a successful response.
    ///
    /// Decodes JSON with the configuration's decoder. An optional value is `nil` for status 204 and for an empty body.
    @concurrent
    public func request<Value: Decodable & Sendable>(_ endpoint: Endpoint) async throws(NetworkError) -> Value {
        try await perform(ClientTarget(endpoint, below: baseURL), .json)
    }

    /// Returns the bytes of a successful response.
    @concurrent
    public func request(_ endpoint: Endpoint) async throws(NetworkError) -> Data {
        try await perform(ClientTarget(endpoint, below: baseURL), .data)
    }

    /// Returns the value that a custom decoding makes of a successful response.
    @concurrent
    public func request<Value: Sendable>(
        _ endpoint: Endpoint,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        try await perform(ClientTarget(endpoint, below: baseURL), decoding)
    }

    /// Sends a value as JSON and returns the decoded body of the response.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(NetworkError) -> Value {
        try await request(endpoint.json(value, encoder: encoder ?? engine.configuration.encoder))
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
    ) async throws(NetworkError) -> UndecodedResponse {
        try await send(endpoint, json: value, encoder: encoder)
        return UndecodedResponse()
    }

    /// Sends a value as JSON and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func request(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(NetworkError) {
        try await send(endpoint, json: value, encoder: encoder)
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
    ) async throws(NetworkError) -> HTTPResponse {
        try await send(endpoint.json(value, encoder: encoder ?? engine.configuration.encoder))
    }

    /// Sends a body that can be a file or a stream, in place of the endpoint's body, and returns the bytes of the
    /// response.
    @concurrent
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(NetworkError) -> Data {
        var call = TypedEndpoint(endpoint, decoding: .data)
        call.building = { $0.body = body }
        return try await request(call)
    }

    /// Returns the value of an endpoint that has its own decoding, validation or building.
    @concurrent
    public func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(NetworkError) -> Value {
        try await perform(ClientTarget(endpoint, below: baseURL), endpoint.decoding)
    }

    /// Returns the decoded body together with its response.
    @concurrent
    public func response<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> NetworkResponse<Value> {
        let decoding = ResponseDecoding<Value>.json.map { NetworkResponse(value: $0, response: $1) }
        return try await perform(ClientTarget(endpoint, below: baseURL), decoding)
    }

    /// Returns a successful response. The caller can ignore it.
    @concurrent
    @discardableResult
    public func send(_ endpoint: Endpoint) async throws(NetworkError) -> HTTPResponse {
        try await perform(ClientTarget(endpoint, below: baseURL), .response)
    }

    /// Returns the head of a successful response, with a body that is read while it arrives.
    ///
    /// Attempts, redirects and the deadline apply until the head arrives. The timeout limits the time without any byte.
    /// After the head it runs only while a reader waits for bytes.
    @concurrent
    public func stream(_ endpoint: Endpoint) async throws(NetworkError) -> ResponseStream {
        let target = ClientTarget(endpoint, below: baseURL)
        var options = CallOptions(target: target)
        let request = try options.request(for: target, by: engine.builder.rules)
        return try await engine.stream(request, options)
    }

    /// Returns the events that a server sends. They reconnect when a connection ends.
    ///
    /// The first request is sent when the first event is requested. The timeout and the deadline limit the time to the
    /// head of each connection. `ServerSentEvents.idleTimeout` limits silence after it.
    public func events(_ endpoint: Endpoint) -> ServerSentEvents {
        let target = ClientTarget(endpoint, below: baseURL)
        let rules = engine.builder.rules
        return ServerSentEvents(over: engine, CallOptions(target: target)) { options throws(NetworkError) in
            try options.request(for: target, by: rules)
        }
    }

    /// Returns the data of a server's events, decoded as JSON.
    ///
    /// The first request is sent when the first value is requested.
    public func events<Value: Decodable & Sendable>(_ endpoint: Endpoint, as type: Value.Type) -> DecodedEvents<Value> {
        DecodedEvents(events(endpoint), decoder: engine.decoder(for: ClientTarget(endpoint, below: baseURL)))
    }

    /// Returns the request of an endpoint, without sending it.
    package func request(for endpoint: TypedEndpoint<some Any>) throws(NetworkError) -> HTTPRequest {
        let target = ClientTarget(endpoint, below: baseURL)
        var options = CallOptions(target: target)
        let request = try options.request(for: target, by: engine.builder.rules)
        try request.validate()
        return request
    }

    /// The request of an endpoint below a base, and the options of its call.
    package func call(of endpoint: Endpoint, below base: URL) throws(NetworkError) -> (HTTPRequest, CallOptions) {
        let target = ClientTarget(endpoint, below: base)
        var options = CallOptions(target: target)
        return (try options.request(for: target, by: engine.builder.rules), options)
    }

    private func perform<Value: Sendable>(
        _ target: ClientTarget,
        _ decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        var options = CallOptions(target: target)
        let request = try options.request(for: target, by: engine.builder.rules)
        return try await engine.value(of: request, options, decoding: decoding)
    }
}

extension HTTPClient {
    /// Sends a prepared request to the URL it contains and returns the decoded body of the response.
    @concurrent
    public func request<Value: Decodable & Sendable>(_ urlRequest: URLRequest) async throws(NetworkError) -> Value {
        try await request(urlRequest, decoding: .json)
    }

    /// Sends a prepared request and returns the bytes of the response.
    @concurrent
    public func request(_ urlRequest: URLRequest) async throws(NetworkError) -> Data {
        try await request(urlRequest, decoding: .data)
    }

    /// Sends a prepared request and returns the value that a custom decoding makes of the response.
    @concurrent
    public func request<Value: Sendable>(
        _ urlRequest: URLRequest,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        try await perform(ClientTarget(.prepared(HTTPRequest(urlRequest)), below: baseURL), decoding)
    }

    /// Sends a prepared request and returns the response.
    @concurrent
    @discardableResult
    public func send(_ urlRequest: URLRequest) async throws(NetworkError) -> HTTPResponse {
        try await request(urlRequest, decoding: .response)
    }
}
