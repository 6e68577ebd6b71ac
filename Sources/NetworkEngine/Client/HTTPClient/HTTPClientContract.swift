public import Dispatch
public import Foundation

/// What a data source asks of a client, so that a mock can take its place.
///
/// ```swift
/// struct Users {
///     let client: any HTTPClientContract
///     func user(_ id: Int) async throws(NetworkError) -> User { try await client.request(.get("/users/\(id)")) }
/// }
/// ```
/// Implement the two awaited methods; those with a callback are built on them, and events are an extra.
public protocol HTTPClientContract: Sendable {
    /// The decoded body of a successful response.
    func request<T: Decodable & Sendable>(_ endpoint: Endpoint) async throws(NetworkError) -> T

    /// The bytes of a successful response.
    func request(_ endpoint: Endpoint) async throws(NetworkError) -> Data

    /// Starts a call and delivers its outcome on the main actor, once, never from inside this.
    /// Calls an endpoint with a body that need not be in memory, in place of the endpoint's, and returns the bytes of the
    /// response.
    func request(_ endpoint: Endpoint, body: RequestBody) async throws(NetworkError) -> Data

    @discardableResult
    func request<T: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: T.Type,
        completion: @escaping @MainActor @Sendable (Result<T, NetworkError>) -> Void
    ) -> any NetworkRequest

    /// Starts a call and delivers its outcome on a queue, once, never from inside this.
    @discardableResult
    func request<T: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: T.Type,
        queue: DispatchQueue,
        completion: @escaping @Sendable (Result<T, NetworkError>) -> Void
    ) -> any NetworkRequest

    /// The events that a server sends as long as somebody reads them.
    func events(_ endpoint: Endpoint) -> ServerSentEvents
}

extension HTTPClientContract {
    /// Sends a body that is in memory; throws `.unsupported` for another, of a client that cannot send any.
    public func request(_ endpoint: Endpoint, body: RequestBody) async throws(NetworkError) -> Data {
        guard let data = body.data else {
            throw NetworkError(kind: .unsupported, reason: "\(Self.self) sends no bodies that are not in memory")
        }
        var endpoint = endpoint
        endpoint.body = data
        return try await request(endpoint)
    }

    /// Events that fail with `.unsupported`, of a client that has none.
    public func events(_ endpoint: Endpoint) -> ServerSentEvents {
        ServerSentEvents(clock: ContinuousClock()) { _, _ throws(NetworkError) in
            throw NetworkError(kind: .unsupported, reason: "\(Self.self) gives no events")
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
        // Nothing here is timed: the clock is never read.
        let call = RunningCall<T>(timers: TimerQueue(timebase: .reading(ContinuousClock())))
        call.start(until: nil) {
            Task {
                do throws(NetworkError) {
                    return call.finish(.success(try await value(of: endpoint)))
                } catch {
                    return call.finish(.failure(error))
                }
            }
        }
        return RequestHandle(call, reports: ProgressReports())
    }

    private func value<T: Decodable & Sendable>(of endpoint: Endpoint) async throws(NetworkError) -> T {
        guard T.self is Data.Type else { return try await request(endpoint) }
        let bytes: Data = try await request(endpoint)
        guard let value = bytes as? T else { preconditionFailure("Data is Data") }
        return value
    }
}
