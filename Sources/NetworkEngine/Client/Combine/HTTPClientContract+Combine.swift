#if canImport(Combine)
public import Combine
public import Foundation

extension HTTPClientContract {
    /// The decoded body of a successful response; a call for each subscriber, which is cancelled with the subscription.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) -> Value in try await request(endpoint) }.eraseToAnyPublisher()
    }

    /// The bytes of a successful response.
    public func requestPublisher(_ endpoint: Endpoint) -> AnyPublisher<Data, NetworkError> {
        CallPublisher { () async throws(NetworkError) -> Data in try await request(endpoint) }.eraseToAnyPublisher()
    }
}
#endif
