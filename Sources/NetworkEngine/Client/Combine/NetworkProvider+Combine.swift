#if canImport(Combine)
public import Combine
public import Foundation

/// Each awaited method as a publisher.
///
/// Every subscriber has a call of its own, which starts with its first demand, delivers one value on no particular thread,
/// and is cancelled with the subscription:
/// ```swift
/// provider.requestPublisher(.user(7), as: User.self)
///     .receive(on: DispatchQueue.main)
///     .sink { completion in … } receiveValue: { user in … }
/// ```
extension NetworkProvider {
    /// The decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.request(target, as: type) }
    }

    /// Nothing but the end of a successful call; its body is ignored.
    public func requestPublisher(_ target: Target) -> AnyPublisher<Void, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.request(target) }
    }

    /// What a decoding of the caller's choice makes of a successful response.
    public func requestPublisher<Value: Sendable>(
        _ target: Target,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.request(target, decoding: decoding) }
    }

    /// The decoded body together with the response that it came in.
    public func responsePublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<NetworkResponse<Value>, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.response(target, as: type) }
    }

    /// The bytes of a successful response.
    public func dataPublisher(_ target: Target) -> AnyPublisher<Data, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.data(target) }
    }

    /// The text of a successful response.
    public func stringPublisher(_ target: Target) -> AnyPublisher<String, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.string(target) }
    }

    /// The successful response itself.
    public func sendPublisher(_ target: Target) -> AnyPublisher<HTTPResponse, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.send(target) }
    }

    /// The response to a prepared request.
    public func sendPublisher(_ urlRequest: URLRequest) -> AnyPublisher<HTTPResponse, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.send(urlRequest) }
    }

    /// The head of a successful response, with a body to read while it comes.
    public func streamPublisher(_ target: Target) -> AnyPublisher<ResponseStream, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.stream(target) }
    }

    private func publisher<Value: Sendable>(
        _ call: @escaping @Sendable (NetworkProvider) async throws(NetworkError) -> Value
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) in try await call(self) }.eraseToAnyPublisher()
    }
}
#endif
