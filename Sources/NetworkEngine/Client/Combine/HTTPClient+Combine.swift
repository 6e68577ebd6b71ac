#if canImport(Combine)
public import Combine
public import Foundation

/// Each awaited method as a publisher, beside those that every client has.
///
/// Every subscriber has a call of its own, which starts with its first demand and is cancelled with the subscription:
/// ```swift
/// client.requestPublisher(.get("/users/7"), as: User.self).sink { completion in … } receiveValue: { user in … }
/// ```
extension HTTPClient {
    /// What a decoding of the caller's choice makes of a successful response.
    public func requestPublisher<Value: Sendable>(
        _ endpoint: Endpoint,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(endpoint, decoding: decoding) }
    }

    /// Sends a value as JSON and decodes what comes back.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(endpoint, json: value, encoder: encoder) }
    }

    /// What an endpoint with a decoding, and perhaps a building, of its own brings.
    public func requestPublisher<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(endpoint) }
    }

    /// The decoded body together with the response that it came in.
    public func responsePublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<NetworkResponse<Value>, NetworkError> {
        publisher { client throws(NetworkError) in try await client.response(endpoint, as: type) }
    }

    /// The successful response itself.
    public func sendPublisher(_ endpoint: Endpoint) -> AnyPublisher<HTTPResponse, NetworkError> {
        publisher { client throws(NetworkError) in try await client.send(endpoint) }
    }

    /// The head of a successful response, with a body to read while it comes.
    public func streamPublisher(_ endpoint: Endpoint) -> AnyPublisher<ResponseStream, NetworkError> {
        publisher { client throws(NetworkError) in try await client.stream(endpoint) }
    }

    /// The decoded body of the answer to a prepared request.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ urlRequest: URLRequest,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        requestPublisher(urlRequest, decoding: .json)
    }

    /// The bytes of the answer to a prepared request.
    public func requestPublisher(_ urlRequest: URLRequest) -> AnyPublisher<Data, NetworkError> {
        requestPublisher(urlRequest, decoding: .data)
    }

    /// What a decoding of the caller's choice makes of the answer to a prepared request.
    public func requestPublisher<Value: Sendable>(
        _ urlRequest: URLRequest,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(urlRequest, decoding: decoding) }
    }

    /// The answer to a prepared request.
    public func sendPublisher(_ urlRequest: URLRequest) -> AnyPublisher<HTTPResponse, NetworkError> {
        requestPublisher(urlRequest, decoding: .response)
    }

    private func publisher<Value: Sendable>(
        _ call: @escaping @Sendable (HTTPClient) async throws(NetworkError) -> Value
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) in try await call(self) }.eraseToAnyPublisher()
    }
}
#endif
