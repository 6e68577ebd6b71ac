public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends the requests that targets describe.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>()
/// let user: User = try await provider.request(.user(7))
/// ```
/// A provider is a value and cheap to copy. Copies share one engine. Releasing a provider does not cancel its requests.
///
/// All async methods run off the caller's actor and throw only `NetworkError`. Canceling the calling task cancels the
/// call, which throws an error of kind `.cancelled`.
public struct NetworkProvider<Target: TargetType>: NetworkCalling {
    let engine: RequestEngine

    /// Creates a provider that runs interceptors in the given order.
    ///
    /// An unsupported configuration does not fail here. Instead every call fails with `.unsupported`, before any I/O.
    public init(interceptors: [any RequestInterceptor] = [], configuration: NetworkConfiguration = .init()) {
        engine = RequestEngine(interceptors: interceptors, configuration: configuration)
    }

    /// Creates a provider with one interceptor.
    public init(interceptor: any RequestInterceptor, configuration: NetworkConfiguration = .init()) {
        self.init(interceptors: [interceptor], configuration: configuration)
    }

    /// Returns a copy of the provider with additional interceptors, which run after the existing ones.
    ///
    /// ```swift
    /// let report: Report = try await provider.adding(RetryPolicy(attemptLimit: 2)).request(.report)
    /// ```
    /// A list can contain some policies only once (`RetryPolicy`, `OfflinePolicy`, `DefaultInterceptor`). A new policy
    /// replaces the existing one. The copy shares all other interceptors and their state: credentials, circuits,
    /// permits.
    public func adding(_ interceptors: any RequestInterceptor...) -> NetworkProvider {
        NetworkProvider(
            interceptors: engine.interceptors.containing(interceptors),
            configuration: engine.configuration
        )
    }

    /// Throws an error of kind `.unsupported` for conflicting interceptors or an unavailable transport.
    public func validate() throws(NetworkError) {
        try engine.interceptors.validate()
        try engine.configuration.transport.validate()
    }

    /// Returns the request for a target, as it is before interceptors run. Sends nothing.
    public func urlRequest(for target: Target) throws(NetworkError) -> URLRequest {
        try engine.inspected(target) { builder, base throws(NetworkError) in
            try builder.request(for: target, below: base, use: .inspection)
        }.urlRequest
    }
}

extension NetworkProvider {
    @concurrent
    public func run<Value: Sendable>(
        _ target: Target,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(NetworkError) -> Value {
        try await engine.run(target, decoding, settings: settings) { builder, base throws(NetworkError) in
            try builder.request(for: target, below: base, use: settings.use)
        }
    }

    public func start<Value: Sendable>(
        _ target: Target,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) -> CallHandle<Value, NetworkError> {
        engine.start(target, decoding, settings: settings) { builder, base throws(NetworkError) in
            try builder.request(for: target, below: base, use: settings.use)
        }
    }

    // Disfavored, so that the compiler looks up an unknown case in the target, and not in `URLRequest`.
    /// Sends a prepared request like a target's request and returns the decoded response body.
    ///
    /// ```swift
    /// let users: [User] = try await provider.request(urlRequest)
    /// ```
    /// Throws for a response that the configuration's `validation` rejects. Like a target by default, a prepared
    /// request requires a credential: without a token, a `TokenSource` fails it with `.authentication`. An `HTTPClient`
    /// sends it without one.
    @concurrent
    @_disfavoredOverload
    public func request<Value: Decodable & Sendable>(_ urlRequest: URLRequest) async throws(NetworkError) -> Value {
        try await value(of: urlRequest, .json)
    }

    /// Sends a prepared request and returns the response's bytes, for a call without a result type.
    @concurrent
    @discardableResult
    @_disfavoredOverload
    public func request(_ urlRequest: URLRequest) async throws(NetworkError) -> Data {
        try await value(of: urlRequest, .data)
    }

    /// Sends a prepared request like a target's request, with interceptors, retries and redirects.
    ///
    /// Throws like `request(_:)`. You can ignore the result.
    @concurrent
    @discardableResult
    @_disfavoredOverload
    public func send(_ urlRequest: URLRequest) async throws(NetworkError) -> HTTPResponse {
        try await value(of: urlRequest, .response)
    }

    /// Sends a prepared request like a target's request, and returns a successful response as soon as its head arrives,
    /// with a body that you read while it arrives.
    @concurrent
    @_disfavoredOverload
    public func stream(_ urlRequest: URLRequest) async throws(NetworkError) -> ResponseStream {
        try await value(of: urlRequest, .stream)
    }

    private func value<Value: Sendable>(
        of urlRequest: URLRequest,
        _ decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        let request = try await HTTPRequest.reading(urlRequest)
        try request.validate()
        let options = engine.options { $0.streamsBody = decoding.delivery.isStream }
        return try await engine.value(of: request, options, decoding: decoding)
    }
}

extension NetworkProvider {
    /// Opens a connection to a target's server, so that the first call doesn't have to wait for one.
    ///
    /// Sends a `HEAD` request to the server's root, without the configuration's headers, cookies and credentials, and
    /// ignores the status. Throws if no response arrives.
    @concurrent
    public func prepare(for target: Target) async throws(NetworkError) {
        try await engine.prepare(at: engine.builder.rules.base(of: target))
    }
}

extension NetworkProvider {
    /// Cancels the running calls that this provider and its copies have started with a handle or a callback.
    ///
    /// Each of them fails with an error of kind `.cancelled`. To cancel an awaited call, cancel its task. Later calls
    /// are not affected.
    public func cancelAll() { engine.started.cancelAll() }
}
