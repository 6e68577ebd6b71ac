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
/// A client supports the same interceptors, retries, redirects, validation and decoding as a `NetworkProvider`. It is a
/// value and cheap to copy. Copies share one engine. All async methods run off the caller's actor.
public struct HTTPClient: NetworkCalling {
    /// The URL that endpoint paths are appended to, unless `NetworkConfiguration.baseURL` replaces it.
    ///
    /// A `TokenSource` sends its token only to this URL's origin, or to the origin of the URL that replaces it, unless
    /// the source lists others.
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

    /// Creates a client with the settings of an app's existing session.
    ///
    /// ```swift
    /// let client = HTTPClient(baseURL: api, session: .shared, decoder: decoder)
    /// ```
    /// The session itself sends nothing. The client adopts its additional headers, URL protocols, network settings,
    /// connections per host and timeouts: `timeoutIntervalForRequest` becomes the limit for the time without any bytes,
    /// and `timeoutIntervalForResource`, if you changed it, the deadline of each call. <doc:SessionSettings> lists the
    /// rest. ``validate()`` throws for a session with its own delegate, and for other changed settings that have no
    /// effect here.
    ///
    /// - Parameter decoder: decodes JSON.
    public init(
        baseURL: URL,
        session: URLSession,
        decoder: JSONDecoder = JSONDecoder(),
        interceptors: [any RequestInterceptor] = []
    ) {
        var configuration = NetworkConfiguration()
        configuration.decoder = decoder
        configuration.transport = URLSessionTransport(forClientWith: session)
        if let timeout = session.chosenTimeout { configuration.timeout = timeout }
        configuration.deadline = session.chosenDeadline
        self.init(baseURL: baseURL, interceptors: interceptors, configuration: configuration)
    }

    /// Returns a copy of the client with additional interceptors, which run after the existing ones.
    ///
    /// ```swift
    /// let report: Data = try await client.adding(RetryPolicy(attemptLimit: 5)).request(.get("/report"))
    /// ```
    /// If the list can contain a policy only once, the new policy replaces the existing one.
    public func adding(_ interceptors: any RequestInterceptor...) -> HTTPClient {
        HTTPClient(
            baseURL: baseURL,
            interceptors: engine.interceptors.containing(interceptors),
            configuration: engine.configuration
        )
    }

    /// Throws an error of kind `.unsupported` for conflicting interceptors or an unavailable transport.
    public func validate() throws(NetworkError) {
        try engine.interceptors.validate()
        try engine.configuration.transport.validate()
    }

    /// Returns the request for an endpoint, as it is before interceptors run. Sends nothing.
    public func urlRequest(for endpoint: Endpoint) throws(NetworkError) -> URLRequest {
        let target = target(endpoint, .memory)
        return try engine.inspected(target) { builder, base throws(NetworkError) in
            try target.request(by: builder, below: base)
        }.urlRequest
    }
}

extension HTTPClient {
    @concurrent
    public func run<Value: Sendable>(
        _ endpoint: Endpoint,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(NetworkError) -> Value {
        let target = target(endpoint, decoding.delivery)
        return try await engine.run(target, decoding, settings: settings) { builder, base throws(NetworkError) in
            try target.request(by: builder, below: base, for: settings.use)
        }
    }

    public func start<Value: Sendable>(
        _ endpoint: Endpoint,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) -> CallHandle<Value, NetworkError> {
        let target = target(endpoint, decoding.delivery)
        return engine.start(target, decoding, settings: settings) { builder, base throws(NetworkError) in
            try target.request(by: builder, below: base, for: settings.use)
        }
    }

    /// Returns an endpoint's request without sending it.
    package func request(for endpoint: Endpoint) throws(NetworkError) -> HTTPRequest {
        let target = target(endpoint, .memory)
        let builder = engine.builder
        let request = try target.request(by: builder, below: builder.rules.base(of: target))
        try request.validate()
        return request
    }

    private func target(_ endpoint: Endpoint, _ delivery: ResponseDelivery) -> ClientTarget {
        let task: NetworkTask =
            switch (delivery, endpoint.content) {
            case (.file(let destination, _), _): .downloadDestination(destination)
            case (_, .multipart(let parts)): .uploadMultipart(parts)
            case (_, .file(let file)): .uploadFile(file)
            default: .requestPlain
            }
        return ClientTarget(.endpoint(endpoint), below: baseURL, task: task)
    }
}

extension HTTPClient {
    // Disfavored, so that the compiler looks up an unknown member in an endpoint, and not in `URLRequest`.
    /// Sends a prepared request to the URL it contains and returns the decoded response body.
    ///
    /// For `Data` it returns the bytes.
    @concurrent
    @_disfavoredOverload
    public func request<Value: Decodable & Sendable>(_ urlRequest: URLRequest) async throws(NetworkError) -> Value {
        try await request(urlRequest, decoding: .json)
    }

    /// Sends a prepared request and returns the response's bytes, for a call without a result type.
    @concurrent
    @discardableResult
    @_disfavoredOverload
    public func request(_ urlRequest: URLRequest) async throws(NetworkError) -> Data {
        try await request(urlRequest, decoding: .data)
    }

    /// Sends a prepared request and returns the value that a custom decoding produces from the response.
    @_semantics("optimize.sil.specialize.generic.never")
    @concurrent
    public func request<Value: Sendable>(
        _ urlRequest: URLRequest,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        try await run(.reading(urlRequest), decoding, cachePolicy: .useProtocol)
    }

    /// Sends a prepared request and returns the response. Adds a credential if one is available.
    @concurrent
    @discardableResult
    @_disfavoredOverload
    public func send(_ urlRequest: URLRequest) async throws(NetworkError) -> HTTPResponse {
        try await request(urlRequest, decoding: .response)
    }
}

extension HTTPClient {
    /// Opens a connection to the base URL's server, so that the first call doesn't have to wait for one.
    ///
    /// ```swift
    /// async let connection: Void = client.prepare()
    /// ```
    /// Sends a `HEAD` request to the server's root, without the configuration's headers, cookies and credentials, and
    /// ignores the status. Throws if no response arrives.
    @concurrent
    public func prepare() async throws(NetworkError) {
        let base = try engine.builder.rules.base(of: AnyTarget(baseURL: baseURL))
        try await engine.prepare(at: base)
    }
}

extension HTTPClient {
    /// Cancels the running calls that this client and its copies have started with a handle or a callback.
    ///
    /// Each of them fails with an error of kind `.cancelled`. To cancel an awaited call, cancel its task. Later calls
    /// are not affected.
    public func cancelAll() { engine.started.cancelAll() }
}

extension NetworkCalling {
    /// A session for calls by the currently signed-in user.
    package var sessionOfUser: CallSession {
        let session = CallSession(sharesOnlyStorage: true)
        if let client = self as? HTTPClient { _ = session.state(of: nil, on: client.engine) }
        return session
    }
}
