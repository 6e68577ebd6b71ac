// Written by .ci/mapped-errors from NetworkProvider+Combine.swift. Change that file.
#if canImport(Combine)
public import Combine
public import Foundation

extension MappedProvider {
    /// Publishes the decoded body of a successful response.
    public func requestPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(provider.requestPublisher(target, as: type))
    }

    /// Publishes the completion of a successful call and ignores the body.
    public func requestPublisher(_ target: Target) -> AnyPublisher<Void, Failure> {
        mapper.mapping(provider.requestPublisher(target))
    }

    /// Publishes the value that a custom decoding makes of a successful response.
    public func requestPublisher<Value: Sendable>(
        _ target: Target,
        decoding: ResponseDecoding<Value>
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(provider.requestPublisher(target, decoding: decoding))
    }

    /// Publishes the decoded body together with its response.
    public func responsePublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self
    ) -> AnyPublisher<NetworkResponse<Value>, Failure> {
        mapper.mapping(provider.responsePublisher(target, as: type))
    }

    /// Publishes the bytes of a successful response.
    public func dataPublisher(_ target: Target) -> AnyPublisher<Data, Failure> {
        mapper.mapping(provider.dataPublisher(target))
    }

    /// Publishes the text of a successful response.
    public func stringPublisher(_ target: Target) -> AnyPublisher<String, Failure> {
        mapper.mapping(provider.stringPublisher(target))
    }

    /// Publishes a successful response.
    public func sendPublisher(_ target: Target) -> AnyPublisher<HTTPResponse, Failure> {
        mapper.mapping(provider.sendPublisher(target))
    }

    /// Sends a prepared request and publishes the response.
    public func sendPublisher(_ urlRequest: URLRequest) -> AnyPublisher<HTTPResponse, Failure> {
        mapper.mapping(provider.sendPublisher(urlRequest))
    }

    /// Publishes the head of a successful response, with a body that is read while it arrives.
    public func streamPublisher(_ target: Target) -> AnyPublisher<MappedSequence<ResponseStream, Failure>, Failure> {
        CallPublisher { () async throws(Failure) in try await stream(target) }.eraseToAnyPublisher()
    }

    /// Uploads the target's body and publishes the decoded response.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, Failure> {
        mapper.mapping(provider.uploadPublisher(target, as: type, progress: progress))
    }

    /// Downloads to the target's destination and publishes the URL of the file.
    ///
    /// - Parameter resuming: resume data of an earlier download of the same target. It stays valid if this download
    ///   fails.
    public func downloadPublisher(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<URL, Failure> {
        mapper.mapping(provider.downloadPublisher(target, resuming: resuming, progress: progress))
    }
}
#endif
