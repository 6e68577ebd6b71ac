// Written by .ci/mapped-errors from HTTPClient+Combine.swift. Change that file.
#if canImport(Combine)
public import Combine
public import Foundation

extension MappedHTTPClient {
    /// Publishes the decoded body of a successful response. Each subscription makes one call and cancels it when
    /// canceled.
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

    /// Publishes the value that a custom decoding makes of a successful response.
    public func requestPublisher<Value: Sendable>(
        _ endpoint: Endpoint,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.requestPublisher(endpoint, decoding: decoding))
    }

    /// Sends a value as JSON and publishes the decoded body of the response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        json value: some Encodable & Sendable,
        encoder: JSONEncoder? = nil,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.requestPublisher(endpoint, json: value, encoder: encoder, as: type))
    }

    /// Publishes the value of an endpoint that has its own decoding, validation or building.
    public func requestPublisher<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.requestPublisher(endpoint))
    }

    /// Publishes the decoded body together with its response.
    public func responsePublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<NetworkResponse<Value>, Failure> {
        mapper.mapping(client.responsePublisher(endpoint, as: type))
    }

    /// Publishes a successful response.
    public func sendPublisher(_ endpoint: Endpoint) -> AnyPublisher<HTTPResponse, Failure> {
        mapper.mapping(client.sendPublisher(endpoint))
    }

    /// Publishes the head of a successful response, with a body that is read while it arrives.
    public func streamPublisher(
        _ endpoint: Endpoint
    ) -> AnyPublisher<MappedSequence<ResponseStream, Failure>, Failure> {
        CallPublisher { () async throws(Failure) in try await stream(endpoint) }.eraseToAnyPublisher()
    }

    /// Sends a prepared request and publishes the decoded body of the response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ urlRequest: URLRequest,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.requestPublisher(urlRequest, as: type))
    }

    /// Sends a prepared request and publishes the bytes of the response.
    public func requestPublisher(_ urlRequest: URLRequest) -> AnyPublisher<Data, Failure> {
        mapper.mapping(client.requestPublisher(urlRequest))
    }

    /// Sends a prepared request and publishes the value that a custom decoding makes of the response.
    public func requestPublisher<Value: Sendable>(
        _ urlRequest: URLRequest,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.requestPublisher(urlRequest, decoding: decoding))
    }

    /// Sends a prepared request and publishes the response.
    public func sendPublisher(_ urlRequest: URLRequest) -> AnyPublisher<HTTPResponse, Failure> {
        mapper.mapping(client.sendPublisher(urlRequest))
    }

    /// Uploads a form and publishes the decoded body of the response.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.uploadPublisher(endpoint, multipart: parts, as: type, progress: progress))
    }

    /// Uploads a file as the body and publishes the decoded body of the response.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(client.uploadPublisher(endpoint, file: file, as: type, progress: progress))
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
    ) -> AnyPublisher<URL, Failure> {
        mapper.mapping(client.downloadPublisher(endpoint, to: destination, resuming: resuming, progress: progress))
    }
}
#endif
