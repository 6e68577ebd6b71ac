// Written by .ci/mapped-errors from NetworkProvider+Transfers.swift. Change that file.
public import Dispatch
public import Foundation

extension MappedProvider {
    /// Uploads the target's body and returns the decoded body of the response.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    @concurrent
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in
            try await provider.upload(target, as: type, progress: progress)
        }
    }

    /// Uploads the target's body and ignores the body of the response.
    @concurrent
    @discardableResult
    public func upload(
        _ target: Target,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> UndecodedResponse {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await provider.upload(target, progress: progress)
        }
        return UndecodedResponse()
    }

    /// Uploads the target's body and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func upload(
        _ target: Target,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await provider.upload(target, progress: progress)
        }
    }

    /// Uploads the target's body and delivers the decoded response on the main actor.
    ///
    /// - Parameter progress: receives the number of bytes sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.upload(target, as: type, progress: progress) { completion($0.mapError(mapper.map)) }
    }

    /// Uploads the target's body and delivers the decoded response on a queue.
    ///
    /// - Parameter progress: receives the number of bytes sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.upload(target, as: type, queue: queue, progress: progress) { completion($0.mapError(mapper.map)) }
    }

    /// Downloads the body of a successful response to the target's destination, a temporary file by default.
    ///
    /// When a connection is lost, the next attempt resumes the download if the server supports that.
    ///
    /// - Parameters:
    ///   - resuming: resume data of an earlier download of the same target. It stays valid if this download fails.
    ///   - progress: receives the number of bytes received, not the bytes of the request.
    /// - Returns: the URL of the complete file. A failed download leaves no file there.
    @concurrent
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> URL {
        try await mapper.mapping { () throws(NetworkError) in
            try await provider.download(target, resuming: resuming, progress: progress)
        }
    }

    /// Starts a download and returns a handle to await its file, observe its progress, pause it and cancel it.
    public func startDownload(_ target: Target, resuming: ResumeData? = nil) -> MappedDownloadHandle<Failure> {
        MappedDownloadHandle(provider.startDownload(target, resuming: resuming), map: mapper.map)
    }

    /// Downloads a file and delivers its URL on the main actor.
    @discardableResult
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.download(target, resuming: resuming, progress: progress) { completion($0.mapError(mapper.map)) }
    }

    /// Downloads a file and delivers its URL on a queue. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<URL, Failure>) -> Void
    ) -> any NetworkRequest {
        provider.download(target, resuming: resuming, queue: queue, progress: progress) {
            completion($0.mapError(mapper.map))
        }
    }
}
