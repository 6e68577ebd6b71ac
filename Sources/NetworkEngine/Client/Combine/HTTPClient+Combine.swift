#if canImport(Combine)
public import Combine
public import Foundation

extension HTTPClientContract {
    /// Publishes the decoded body of a successful response. Each subscription makes one call and cancels it when
    /// canceled.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) -> Value in try await request(endpoint) }.eraseToAnyPublisher()
    }

    /// Publishes the bytes of a successful response.
    public func requestPublisher(_ endpoint: Endpoint) -> AnyPublisher<Data, NetworkError> {
        CallPublisher { () async throws(NetworkError) -> Data in try await request(endpoint) }.eraseToAnyPublisher()
    }

    /// Publishes the text of a successful response, decoded with the charset of the response.
    public func stringPublisher(_ endpoint: Endpoint) -> AnyPublisher<String, NetworkError> {
        CallPublisher { () async throws(NetworkError) in try await string(endpoint) }.eraseToAnyPublisher()
    }
}

/// The awaited methods as publishers, in addition to those of every client.
///
/// Each subscription makes one call. The call starts with the first demand and is canceled with the subscription.
/// ```swift
/// client.requestPublisher(.get("/users/7"), as: User.self).sink { completion in … } receiveValue: { user in … }
/// ```
extension HTTPClient {
    /// Publishes the value that a custom decoding makes of a successful response.
    public func requestPublisher<Value: Sendable>(
        _ endpoint: Endpoint,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(endpoint, decoding: decoding) }
    }

    /// Sends a value as JSON and publishes the decoded body of the response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(endpoint, json: value, encoder: encoder) }
    }

    /// Publishes the value of an endpoint that has its own decoding, validation or building.
    public func requestPublisher<Value: Sendable>(
        _ endpoint: TypedEndpoint<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(endpoint) }
    }

    /// Publishes the decoded body together with its response.
    public func responsePublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<NetworkResponse<Value>, NetworkError> {
        publisher { client throws(NetworkError) in try await client.response(endpoint, as: type) }
    }

    /// Publishes a successful response.
    public func sendPublisher(_ endpoint: Endpoint) -> AnyPublisher<HTTPResponse, NetworkError> {
        publisher { client throws(NetworkError) in try await client.send(endpoint) }
    }

    /// Publishes the head of a successful response, with a body that is read while it arrives.
    public func streamPublisher(_ endpoint: Endpoint) -> AnyPublisher<ResponseStream, NetworkError> {
        publisher { client throws(NetworkError) in try await client.stream(endpoint) }
    }

    /// Sends a prepared request and publishes the decoded body of the response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ urlRequest: URLRequest,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        requestPublisher(urlRequest, decoding: .json)
    }

    /// Sends a prepared request and publishes the bytes of the response.
    public func requestPublisher(_ urlRequest: URLRequest) -> AnyPublisher<Data, NetworkError> {
        requestPublisher(urlRequest, decoding: .data)
    }

    /// Sends a prepared request and publishes the value that a custom decoding makes of the response.
    public func requestPublisher<Value: Sendable>(
        _ urlRequest: URLRequest,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in try await client.request(urlRequest, decoding: decoding) }
    }

    /// Sends a prepared request and publishes the response.
    public func sendPublisher(_ urlRequest: URLRequest) -> AnyPublisher<HTTPResponse, NetworkError> {
        requestPublisher(urlRequest, decoding: .response)
    }

    private func publisher<Value: Sendable>(
        _ call: @escaping @Sendable (HTTPClient) async throws(NetworkError) -> Value
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) in try await call(self) }.eraseToAnyPublisher()
    }
}

extension HTTPClient {
    /// Uploads a form and publishes the decoded body of the response.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in
            try await client.upload(endpoint, multipart: parts, as: type, progress: progress)
        }
    }

    /// Uploads a file as the body and publishes the decoded body of the response.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { client throws(NetworkError) in
            try await client.upload(endpoint, file: file, as: type, progress: progress)
        }
    }

    /// Downloads to a destination and publishes the URL of the file.
    ///
    /// - Parameter resuming: resume data of an earlier download of the same endpoint. It stays valid if this download
    ///   fails.
    public func downloadPublisher(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<URL, NetworkError> {
        let call = CallPublisher { () async throws(NetworkError) in
            try await download(endpoint, to: destination, resuming: resuming, progress: progress)
        } onUnclaimed: { file in
            // The subscriber never gets the URL of this file.
            try? FileManager.default.removeItem(at: file)
        }
        return call.eraseToAnyPublisher()
    }
}
#endif
