#if canImport(Combine)
public import Combine
public import Foundation

/// The awaited methods as publishers that fail with the app's errors.
///
/// Each subscription makes one call. The call starts with the first demand and is cancelled with the subscription.
/// ```swift
/// users.requestPublisher(.user(7), as: User.self).sink { completion in … } receiveValue: { user in … }
/// ```
extension MappedProvider {
    /// Publishes the decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        CallPublisher { () async throws(Failure) -> Value in try await request(target, as: type) }
            .eraseToAnyPublisher()
    }

    /// Publishes the completion of a successful call and ignores the body.
    public func requestPublisher(_ target: Target) -> AnyPublisher<Void, Failure> {
        CallPublisher { () async throws(Failure) -> Void in try await request(target) }.eraseToAnyPublisher()
    }

    /// Publishes the bytes of a successful response.
    public func dataPublisher(_ target: Target) -> AnyPublisher<Data, Failure> {
        CallPublisher { () async throws(Failure) -> Data in try await data(target) }.eraseToAnyPublisher()
    }

    /// Publishes a successful response.
    public func sendPublisher(_ target: Target) -> AnyPublisher<HTTPResponse, Failure> {
        CallPublisher { () async throws(Failure) -> HTTPResponse in try await send(target) }.eraseToAnyPublisher()
    }
}

/// The awaited methods as publishers that fail with the app's errors.
///
/// Each subscription makes one call. The call starts with the first demand and is cancelled with the subscription.
extension MappedClient {
    /// Publishes the decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        CallPublisher { () async throws(Failure) -> Value in try await request(endpoint) }.eraseToAnyPublisher()
    }

    /// Publishes the bytes of a successful response.
    public func requestPublisher(_ endpoint: Endpoint) -> AnyPublisher<Data, Failure> {
        CallPublisher { () async throws(Failure) -> Data in try await request(endpoint) }.eraseToAnyPublisher()
    }
}
#endif
