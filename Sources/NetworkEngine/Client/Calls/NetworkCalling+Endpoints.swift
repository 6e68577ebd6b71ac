public import Dispatch

/// Typed endpoints, which carry their decoding.
extension NetworkCalling where Request == Endpoint {
    /// Returns the value of an endpoint, decoded by the endpoint's own decoding.
    public func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(Failure) -> Value {
        try await run(endpoint.endpoint, endpoint.decoding, settings: CallSettings())
    }

    /// Starts a call and returns a handle to await its value, observe its progress and cancel it.
    public func start<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) -> CallHandle<Value, Failure> {
        start(endpoint.endpoint, endpoint.decoding, settings: CallSettings())
    }

    /// Starts a call and delivers the value or the error to a callback on the main actor.
    @discardableResult
    public func request<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        start(endpoint).deliver(toMain: completion)
    }

    /// Starts a call and delivers the value or the error to a callback on a queue.
    @discardableResult
    public func request<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        start(endpoint).deliver(on: queue, to: completion)
    }
}
