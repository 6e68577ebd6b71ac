#if canImport(Combine)
public import Combine
public import Foundation
public import NetworkEngine

/// The async calls as publishers.
///
/// Each subscription makes one call. The call starts with the first demand, delivers one value on an arbitrary thread
/// and is canceled with the subscription.
/// ```swift
/// provider.requestPublisher(.user(7), as: User.self)
///     .receive(on: DispatchQueue.main)
///     .sink { completion in … } receiveValue: { user in … }
/// ```
extension NetworkCalling {
    /// Publishes the decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        publisher(request, .json)
    }

    /// Publishes a void value when a successful response arrives.
    public func requestPublisher(_ request: Request) -> AnyPublisher<Void, Failure> { publisher(request, .nothing) }

    /// Publishes the value that a decoding creates from a successful response.
    public func requestPublisher<Value: Sendable>(
        _ request: Request,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, Failure> {
        publisher(request, decoding)
    }

    /// Publishes the decoded body together with its response.
    public func responsePublisher<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<NetworkResponse<Value>, Failure> {
        publisher(request, .withResponse())
    }

    /// Publishes the bytes of a successful response.
    public func dataPublisher(_ request: Request) -> AnyPublisher<Data, Failure> { publisher(request, .data) }

    /// Publishes the text of a successful response.
    public func stringPublisher(_ request: Request) -> AnyPublisher<String, Failure> { publisher(request, .string) }

    /// Publishes a successful response.
    public func sendPublisher(_ request: Request) -> AnyPublisher<HTTPResponse, Failure> {
        publisher(request, .response)
    }

    /// Uploads a request's body and publishes the decoded response body.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, Failure> {
        publisher(request, .json, settings: CallSettings(.upload, progress: progress))
    }

    fileprivate func publisher<Value: Sendable>(
        _ request: Request,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings = CallSettings()
    ) -> AnyPublisher<Value, Failure> {
        CallPublisher(
            { () async throws(Failure) in try await run(request, decoding, settings: settings) },
            onUnclaimed: decoding.onUnclaimed
        )
        .eraseToAnyPublisher()
    }
}

extension NetworkCalling where Request: TargetType {
    /// Downloads to the target's destination and publishes the URL of the complete file.
    public func downloadPublisher(
        _ target: Request,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<URL, Failure> {
        let decoding = ResponseDecoding.file(at: target.declaredTask.destination, resuming: resuming)
        return publisher(target, decoding, settings: CallSettings(.download, progress: progress))
    }
}

extension NetworkCalling where Request == Endpoint {
    /// Publishes the value of an endpoint with its own decoding.
    public func requestPublisher<Value: Sendable>(_ endpoint: TypedEndpoint<Value>) -> AnyPublisher<Value, Failure> {
        publisher(endpoint.endpoint, endpoint.decoding)
    }

    /// Downloads to a destination and publishes the URL of the complete file.
    public func downloadPublisher(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<URL, Failure> {
        let decoding = ResponseDecoding.file(at: destination, resuming: resuming)
        return publisher(endpoint, decoding, settings: CallSettings(.download, progress: progress))
    }
}
#endif
