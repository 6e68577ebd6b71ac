#if canImport(Combine)
public import Combine
public import Foundation

/// Each awaited method as a publisher that fails with the app's errors.
///
/// Every subscriber has a call of its own, which starts with its first demand and is cancelled with the subscription.
extension MappedClient {
    /// The decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        CallPublisher { () async throws(Failure) -> Value in try await request(endpoint) }.eraseToAnyPublisher()
    }

    /// The bytes of a successful response.
    public func requestPublisher(_ endpoint: Endpoint) -> AnyPublisher<Data, Failure> {
        CallPublisher { () async throws(Failure) -> Data in try await request(endpoint) }.eraseToAnyPublisher()
    }
}
#endif
