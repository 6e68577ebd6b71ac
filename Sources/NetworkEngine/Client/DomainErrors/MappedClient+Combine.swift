#if canImport(Combine)
public import Combine
public import Foundation

/// The awaited methods as publishers that fail with the app's errors.
///
/// Each subscription makes one call. The call starts with the first demand and is canceled with the subscription.
/// ```swift
/// client.requestPublisher(.get("/users/7"), as: User.self).sink { completion in … } receiveValue: { user in … }
/// ```
extension MappedClient {
    /// Publishes the decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.requestPublisher(endpoint, as: type))
    }

    /// Publishes the bytes of a successful response.
    public func requestPublisher(_ endpoint: Endpoint) -> AnyPublisher<Data, Failure> {
        mapper.mapping(client.requestPublisher(endpoint))
    }

    /// Publishes the text of a successful response, decoded with the charset of the response.
    public func stringPublisher(_ endpoint: Endpoint) -> AnyPublisher<String, Failure> {
        mapper.mapping(client.stringPublisher(endpoint))
    }
}
#endif
