#if canImport(Combine)
public import Combine
public import Foundation

/// The awaited methods as publishers.
///
/// Each subscription makes one call. The call starts with the first demand, delivers one value on an arbitrary thread
/// and is canceled with the subscription.
/// ```swift
/// provider.requestPublisher(.user(7), as: User.self)
///     .receive(on: DispatchQueue.main)
///     .sink { completion in … } receiveValue: { user in … }
/// ```
extension NetworkProvider {
    /// Publishes the decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.request(target, as: type) }
    }

    /// Publishes the completion of a successful call and ignores the body.
    public func requestPublisher(_ target: Target) -> AnyPublisher<Void, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.request(target) }
    }

    /// Publishes the value that a custom decoding makes of a successful response.
    public func requestPublisher<Value: Sendable>(
        _ target: Target,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.request(target, decoding: decoding) }
    }

    /// Publishes the decoded body together with its response.
    public func responsePublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<NetworkResponse<Value>, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.response(target, as: type) }
    }

    /// Publishes the bytes of a successful response.
    public func dataPublisher(_ target: Target) -> AnyPublisher<Data, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.data(target) }
    }

    /// Publishes the text of a successful response.
    public func stringPublisher(_ target: Target) -> AnyPublisher<String, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.string(target) }
    }

    /// Publishes a successful response.
    public func sendPublisher(_ target: Target) -> AnyPublisher<HTTPResponse, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.send(target) }
    }

    /// Sends a prepared request and publishes the response.
    public func sendPublisher(_ urlRequest: URLRequest) -> AnyPublisher<HTTPResponse, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.send(urlRequest) }
    }

    /// Publishes the head of a successful response, with a body that is read while it arrives.
    public func streamPublisher(_ target: Target) -> AnyPublisher<ResponseStream, NetworkError> {
        publisher { provider throws(NetworkError) in try await provider.stream(target) }
    }

    private func publisher<Value: Sendable>(
        _ call: @escaping @Sendable (NetworkProvider) async throws(NetworkError) -> Value
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) in try await call(self) }.eraseToAnyPublisher()
    }
}

extension NetworkProvider {
    /// Uploads the target's body and publishes the decoded response.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) in
            try await upload(target, as: type, progress: progress)
        }
        .eraseToAnyPublisher()
    }

    /// Downloads to the target's destination and publishes the URL of the file.
    ///
    /// - Parameter resuming: resume data of an earlier download of the same target. It stays valid if this download
    ///   fails.
    public func downloadPublisher(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<URL, NetworkError> {
        let call = CallPublisher { () async throws(NetworkError) in
            try await download(target, resuming: resuming, progress: progress)
        } onUnclaimed: { file in
            // The subscriber never gets the URL of this file.
            try? FileManager.default.removeItem(at: file)
        }
        return call.eraseToAnyPublisher()
    }
}
#endif
