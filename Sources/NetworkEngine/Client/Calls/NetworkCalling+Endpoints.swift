public import Dispatch
public import Foundation

/// Typed endpoints, which carry their decoding.
extension NetworkCalling where Request == Endpoint {
    /// Returns the value of an endpoint with its own decoding.
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

/// Bodies beside the endpoint. The methods of ``Endpoint`` with the same words put them into it, for every call.
extension NetworkCalling where Request == Endpoint {
    /// Sends a value as JSON and returns the decoded body of the response.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    public func request<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) -> Value {
        try await request(endpoint.json(value, encoder: encoder))
    }

    // The value is an existential: between two generic methods the compiler does not choose by the result.
    /// Sends a value as JSON and returns the bytes of the response. The caller can ignore them.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    @discardableResult
    public func request(
        _ endpoint: Endpoint,
        json value: any Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) -> Data {
        try await request(endpoint.json(value, encoder: encoder))
    }

    /// Sends a value as JSON and ignores the body of the response, where the result type is `Void`.
    @_disfavoredOverload
    public func request(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) {
        try await send(endpoint.json(value, encoder: encoder))
    }

    /// Sends a value as JSON and returns a successful response. The caller can ignore it.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    @discardableResult
    public func send(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil
    ) async throws(Failure) -> HTTPResponse {
        try await send(endpoint.json(value, encoder: encoder))
    }

    /// Sends a body that can be a file or a stream, in place of the endpoint's body, and returns the bytes of the
    /// response.
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(Failure) -> Data {
        try await data(endpoint.body(body))
    }

    /// Uploads a form and returns the decoded body of the response.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Value {
        try await upload(endpoint.multipart(parts), as: type, progress: progress)
    }

    /// Uploads a form and returns the bytes of the response. The caller can ignore them.
    @discardableResult
    public func upload(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Data {
        try await upload(endpoint.multipart(parts), progress: progress)
    }

    /// Uploads a form and ignores the body of the response, where the result type is `Void`.
    @_disfavoredOverload
    public func upload(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) {
        try await upload(endpoint.multipart(parts), progress: progress)
    }

    /// Uploads a file as the body and returns the decoded body of the response.
    ///
    /// Sets the content type of the file's extension unless the endpoint has one.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Value {
        try await upload(endpoint.file(file), as: type, progress: progress)
    }

    /// Uploads a file as the body and returns the bytes of the response. The caller can ignore them.
    @discardableResult
    public func upload(
        _ endpoint: Endpoint,
        file: URL,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Data {
        try await upload(endpoint.file(file), progress: progress)
    }

    /// Uploads a file as the body and ignores the body of the response, where the result type is `Void`.
    @_disfavoredOverload
    public func upload(
        _ endpoint: Endpoint,
        file: URL,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) {
        try await upload(endpoint.file(file), progress: progress)
    }
}
