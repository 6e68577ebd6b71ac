#if canImport(Combine)
public import Combine
public import Foundation

/// Each awaited method as a publisher that fails with the app's errors.
///
/// Every subscriber has a call of its own, which starts with its first demand and is cancelled with the subscription:
/// ```swift
/// users.requestPublisher(.user(7), as: User.self).sink { completion in … } receiveValue: { user in … }
/// ```
extension MappedProvider {
    /// The decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        CallPublisher { () async throws(Failure) -> Value in try await request(target, as: type) }
            .eraseToAnyPublisher()
    }

    /// Nothing but the end of a successful call; its body is ignored.
    public func requestPublisher(_ target: Target) -> AnyPublisher<Void, Failure> {
        CallPublisher { () async throws(Failure) -> Void in try await request(target) }.eraseToAnyPublisher()
    }

    /// The bytes of a successful response.
    public func dataPublisher(_ target: Target) -> AnyPublisher<Data, Failure> {
        CallPublisher { () async throws(Failure) -> Data in try await data(target) }.eraseToAnyPublisher()
    }

    /// The successful response itself.
    public func sendPublisher(_ target: Target) -> AnyPublisher<HTTPResponse, Failure> {
        CallPublisher { () async throws(Failure) -> HTTPResponse in try await send(target) }.eraseToAnyPublisher()
    }
}
#endif
