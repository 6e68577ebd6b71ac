public import Dispatch
public import Foundation

/// The interface of an HTTP client that data sources depend on, so that a mock can replace the client.
///
/// ```swift
/// struct Users {
///     let client: any HTTPClientContract
///     func user(_ id: Int) async throws(NetworkError) -> User { try await client.request(.get("/users/\(id)")) }
/// }
/// ```
/// Implement the two awaited methods. The other methods have default implementations.
public protocol HTTPClientContract: Sendable {
    /// Returns the decoded body of a successful response.
    func request<T: Decodable & Sendable>(_ endpoint: Endpoint) async throws(NetworkError) -> T

    /// Returns the bytes of a successful response.
    func request(_ endpoint: Endpoint) async throws(NetworkError) -> Data

    /// Returns the value of an endpoint that has its own decoding, validation or building.
    func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(NetworkError) -> Value

    /// Sends a body that can be a file or a stream, in place of the endpoint's body, and returns the bytes of the
    /// response.
    func request(_ endpoint: Endpoint, body: RequestBody) async throws(NetworkError) -> Data

    /// Starts a call and delivers the value or the error on the main actor, once, after this method has returned.
    @discardableResult
    func request<T: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: T.Type,
        completion: @escaping @MainActor @Sendable (Result<T, NetworkError>) -> Void
    ) -> any NetworkRequest

    /// Starts a call and delivers the value or the error on a queue, once, after this method has returned.
    @discardableResult
    func request<T: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: T.Type,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<T, NetworkError>) -> Void
    ) -> any NetworkRequest

    /// Returns the events that a server sends.
    func events(_ endpoint: Endpoint) -> ServerSentEvents
}

extension HTTPClientContract {
    /// Throws `.unsupported`, for a client without support for typed endpoints and pages.
    public func request<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) async throws(NetworkError) -> Value {
        throw NetworkError(kind: .unsupported, reason: "\(Self.self) does not support typed endpoints")
    }

    /// Sends a body that is in memory. Throws `.unsupported` for a file or a stream.
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(NetworkError) -> Data {
        guard let data = body.data else {
            throw NetworkError(kind: .unsupported, reason: "\(Self.self) can only send bodies that are in memory")
        }
        var endpoint = endpoint
        endpoint.body = data
        return try await request(endpoint)
    }

    /// Returns events that fail with `.unsupported`, for a client without support for them.
    public func events(_ endpoint: Endpoint) -> ServerSentEvents {
        ServerSentEvents(clock: ContinuousClock()) { _, _ throws(NetworkError) in
            throw NetworkError(kind: .unsupported, reason: "\(Self.self) does not support events")
        }
    }

    @discardableResult
    public func request<T: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: T.Type,
        completion: @escaping @MainActor @Sendable (Result<T, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(endpoint, as: type).deliver(toMain: completion)
    }

    @discardableResult
    public func request<T: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: T.Type,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<T, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(endpoint, as: type).deliver(on: queue, to: completion)
    }

    private func start<T: Decodable & Sendable>(_ endpoint: Endpoint, as type: T.Type) -> RequestHandle<T> {
        // The call has no deadline, so the clock is never read.
        let call = RunningCall<T>(timers: TimerQueue(timebase: .reading(ContinuousClock())))
        call.start(until: nil) {
            Task {
                do throws(NetworkError) {
                    return call.finish(.success(try await request(endpoint, as: type)))
                } catch {
                    return call.finish(.failure(error))
                }
            }
        }
        return RequestHandle(call, reports: ProgressReports())
    }
}
