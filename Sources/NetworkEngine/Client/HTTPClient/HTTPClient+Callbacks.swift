public import Dispatch

extension HTTPClient {
    /// Starts a call and returns a handle to await its value, observe its progress and cancel it.
    public func start<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) -> RequestHandle<Value> {
        let target = ClientTarget(endpoint, below: baseURL)
        return RequestHandle(starting: CallOptions(target: target), on: engine, decoding: endpoint.decoding) {
            builder, options throws(NetworkError) in try options.request(for: target, by: builder.rules)
        }
    }

    /// Starts a call and returns a handle to await the decoded body, observe its progress and cancel it.
    ///
    /// ```swift
    /// let handle = client.start(.get("/users/7"), as: User.self)
    /// let user = try await handle.value
    /// ```
    public func start<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> RequestHandle<Value> {
        start(TypedEndpoint(endpoint))
    }

    /// Starts a call and delivers the value or the error to a callback on the main actor.
    ///
    /// The callback runs once, and never before this method returns to a caller on the main actor. After `cancel()` has
    /// returned on the main actor, the callback receives `.cancelled`.
    @discardableResult
    public func request<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(endpoint).deliver(toMain: completion)
    }

    /// Starts a call and delivers the value or the error to a callback on a queue.
    ///
    /// The callback runs once. On a serial queue it never runs before this method returns to a caller on that queue,
    /// and after `cancel()` has returned on that queue, the callback receives `.cancelled`.
    @discardableResult
    public func request<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(endpoint).deliver(on: queue, to: completion)
    }

    /// Delivers the decoded body of a successful response on the main actor. For `Data` it delivers the bytes.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        request(TypedEndpoint<Value>(endpoint), completion: completion)
    }

    /// Delivers the decoded body of a successful response on a queue. For `Data` it delivers the bytes.
    @discardableResult
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        request(TypedEndpoint<Value>(endpoint), queue: queue, completion: completion)
    }

    /// Delivers the text of a successful response on the main actor.
    @discardableResult
    public func string(
        _ endpoint: Endpoint,
        completion: @escaping @MainActor @Sendable (Result<String, NetworkError>) -> Void
    ) -> any NetworkRequest {
        request(TypedEndpoint(endpoint, decoding: .string), completion: completion)
    }

    /// Delivers the text of a successful response on a queue.
    @discardableResult
    public func string(
        _ endpoint: Endpoint,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<String, NetworkError>) -> Void
    ) -> any NetworkRequest {
        request(TypedEndpoint(endpoint, decoding: .string), queue: queue, completion: completion)
    }
}
