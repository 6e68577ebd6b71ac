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
/// Every awaited method runs off the caller's actor and throws only `NetworkError`. Canceling the task that calls it
/// ends the call with an error of kind `.cancelled`.
public struct NetworkProvider<Target: TargetType>: Sendable {
    package let engine: RequestEngine

    /// Creates a provider that runs interceptors in the given order.
    ///
    /// An unsupported configuration does not fail here. It fails every call with `.unsupported`, before any I/O.
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
    /// let report: Report = try await provider.adding(RetryPolicy(maxAttempts: 5)).request(.report)
    /// ```
    /// A list can contain some policies only once (`RetryPolicy`, `OfflinePolicy`, `DefaultInterceptor`). There the new
    /// policy replaces the existing one. The copy shares all other interceptors and their state: credentials, circuits,
    /// permits.
    public func adding(_ interceptors: any RequestInterceptor...) -> NetworkProvider {
        NetworkProvider(
            interceptors: engine.interceptors.containing(interceptors),
            configuration: engine.configuration
        )
    }

    /// Throws an error of kind `.unsupported` for conflicting interceptors or a transport that is not available.
    public func validate() throws(NetworkError) {
        try engine.interceptors.validate()
        try engine.configuration.transport.validate()
    }

    /// Returns the request for a target, as it is before any interceptor runs. Sends nothing.
    public func urlRequest(for target: Target) throws(NetworkError) -> URLRequest {
        var options = CallOptions(target: target)
        var request = try options.request(for: target, .inspection, by: engine.builder)
        try engine.complete(&request, &options)
        return request.urlRequest
    }
}

extension NetworkProvider {
    /// Returns the decoded body of a successful response.
    ///
    /// Decodes JSON with the configuration's decoder and the target's key strategy. An optional value is `nil` for
    /// status 204 and for an empty body.
    @concurrent
    public func request<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await perform(target, .json)
    }

    /// Returns the decoded body as a value that must not leave the caller's actor.
    ///
    /// The call runs off the caller's actor; the decoding runs on it. A deadline that passes during the decoding ends
    /// the call when the decoding returns.
    public nonisolated(nonsending) func request<Value: Decodable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        let deadline = engine.deadlineFromNow(for: target)
        let call = ObservedCall(engine.observers)
        do throws(NetworkError) {
            let response = try await send(target, as: call)
            let value = try RequestEngine.committed(to: response) { () throws(NetworkError) in
                let decoder = engine.decoder(for: target)
                let value = try ObservedCall.decoding(in: call) { () throws(NetworkError) in
                    try response.json(type, by: decoder)
                }
                guard deadline?.timeLeft != .zero else { throw .deadlinePassed(response.request) }
                return value
            }
            call?.end(nil)
            return value
        } catch {
            call?.end(error)
            throw error
        }
    }

    @concurrent
    private func send(_ target: Target, as call: ObservedCall?) async throws(NetworkError) -> HTTPResponse {
        var options = CallOptions(target: target)
        options.observedCall = call
        let request = try options.request(for: target, .request, by: engine.builder)
        return try await engine.value(of: request, options, decoding: .response)
    }

    /// Sends a request and ignores the body of the successful response.
    @concurrent
    @discardableResult
    public func request(_ target: Target) async throws(NetworkError) -> UndecodedResponse {
        try await perform(target, .nothing)
        return UndecodedResponse()
    }

    /// Sends a request and ignores the body, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func request(_ target: Target) async throws(NetworkError) {
        try await perform(target, .nothing)
    }

    /// Returns the value that a custom decoding makes of a successful response.
    @concurrent
    public func request<Value: Sendable>(
        _ target: Target,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        try await perform(target, decoding)
    }

    /// Returns the decoded body together with its response.
    @concurrent
    public func response<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> NetworkResponse<Value> {
        try await perform(target, ResponseDecoding<Value>.json.map { NetworkResponse(value: $0, response: $1) })
    }

    /// Returns the bytes of a successful response.
    @concurrent
    public func data(_ target: Target) async throws(NetworkError) -> Data {
        try await perform(target, .data)
    }

    /// Returns the text of a successful response, decoded with the charset of the response.
    @concurrent
    public func string(_ target: Target) async throws(NetworkError) -> String {
        try await perform(target, .string)
    }

    /// Returns a successful response.
    @concurrent
    public func send(_ target: Target) async throws(NetworkError) -> HTTPResponse {
        try await perform(target, .response)
    }

    /// Sends a prepared request like a target's request, through interceptors, attempts and redirects.
    ///
    /// Throws for a response that the configuration's `validation` does not accept.
    @concurrent
    public func send(_ urlRequest: URLRequest) async throws(NetworkError) -> HTTPResponse {
        let request = try HTTPRequest(urlRequest)
        try request.validate()
        return try await engine.value(of: request, CallOptions(), decoding: .response)
    }

    /// Returns the head of a successful response, with a body that is read while it arrives.
    ///
    /// Attempts, redirects and the deadline apply until the head arrives. The timeout limits the time without any byte.
    /// After the head it runs only while a reader waits for bytes.
    @concurrent
    public func stream(_ target: Target) async throws(NetworkError) -> ResponseStream {
        var options = CallOptions(target: target)
        let request = try options.request(for: target, .request, by: engine.builder)
        return try await engine.stream(request, options)
    }

    /// Returns the events that a server sends. They reconnect when a connection ends.
    ///
    /// The first request is sent when the first event is requested. The timeout and the deadline limit the time to the
    /// head of each connection. `ServerSentEvents.idleTimeout` limits silence after it.
    public func events(_ target: Target) -> ServerSentEvents {
        let builder = engine.builder
        return ServerSentEvents(over: engine, CallOptions(target: target)) { options throws(NetworkError) in
            try options.request(for: target, .request, by: builder)
        }
    }

    /// Returns the data of a server's events, decoded as JSON.
    ///
    /// The first request is sent when the first value is requested.
    public func events<Value: Decodable & Sendable>(_ target: Target, as type: Value.Type) -> DecodedEvents<Value> {
        DecodedEvents(events(target), decoder: engine.decoder(for: target))
    }

    func perform<Value: Sendable>(
        _ target: Target,
        _ decoding: ResponseDecoding<Value>,
        _ use: RequestBuilder.Use = .request,
        _ progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> Value {
        var options = CallOptions(target: target, use: use, progress: progress)
        let request = try options.request(for: target, use, by: engine.builder)
        return try await engine.value(of: request, options, decoding: decoding)
    }
}

extension CallOptions {
    /// The options of a call for one use, reporting the direction that matters to it; both directions for a plain
    /// request.
    init(
        target: any TargetType,
        use: RequestBuilder.Use,
        files: DownloadSession? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.init(target: target)
        self.files = files
        self.progress = progress
        switch use {
        case .upload: progressDirection = .sending
        case .download: progressDirection = .receiving
        case .request, .inspection: break
        }
    }
}
