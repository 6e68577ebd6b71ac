public import Dispatch

extension HTTPClient {
    /// Starts a call and gives a handle to wait for its value, to follow its progress and to call it off.
    public func start<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) -> RequestHandle<Value> {
        let call = ClientCall(endpoint, below: baseURL)
        let reports = ProgressReports()
        var options = CallOptions(target: call)
        options.progress = { reports.report($0) }
        let build: RequestEngine.Build = { builder throws(NetworkError) in try call.request(by: builder.rules) }
        let running = engine.start(
            options,
            decoding: endpoint.decoding,
            request: build,
            onEnd: { reports.finish() }
        )
        return RequestHandle(running, reports: reports)
    }

    /// Starts a call and delivers its outcome on the main actor, once, never from inside this.
    ///
    /// Once `cancel()` has returned there, what is delivered is `.cancelled`.
    @discardableResult
    public func request<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(endpoint).deliver(toMain: completion)
    }

    /// Starts a call and delivers its outcome on a queue, once, never from inside this.
    ///
    /// Once `cancel()` has returned on that queue, a serial one, what is delivered is `.cancelled`.
    @discardableResult
    public func request<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(endpoint).deliver(on: queue, to: completion)
    }

    /// The decoded body of a successful response, on the main actor; the bytes where `Data` is asked for.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        request(TypedEndpoint<Value>(endpoint), completion: completion)
    }

    /// The decoded body of a successful response, on a queue; the bytes where `Data` is asked for.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        request(TypedEndpoint<Value>(endpoint), queue: queue, completion: completion)
    }
}
