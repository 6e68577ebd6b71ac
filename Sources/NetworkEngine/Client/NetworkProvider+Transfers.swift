public import Dispatch
public import Foundation

extension NetworkProvider {
    /// Uploads the target's body and returns the decoded body of the response.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    @concurrent
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> Value {
        try await perform(target, .json, .upload, progress)
    }

    /// Uploads the target's body and ignores the body of the response.
    @concurrent
    @discardableResult
    public func upload(
        _ target: Target,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> UndecodedResponse {
        try await perform(target, .nothing, .upload, progress)
        return UndecodedResponse()
    }

    /// Uploads the target's body and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func upload(
        _ target: Target,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) {
        try await perform(target, .nothing, .upload, progress)
    }

    /// Uploads the target's body and delivers the decoded response on the main actor.
    ///
    /// - Parameter progress: receives the number of bytes sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json, .upload, progress: progress).deliver(toMain: completion)
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
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json, .upload, progress: progress).deliver(on: queue, to: completion)
    }
}

extension NetworkProvider {
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
    ) async throws(NetworkError) -> URL {
        try await downloadCall(target, resuming, progress).file()
    }

    /// Starts a download and returns a handle to await its file, observe its progress, pause it and cancel it.
    public func startDownload(_ target: Target, resuming: ResumeData? = nil) -> DownloadHandle {
        downloadCall(target, resuming).startPausable()
    }

    /// Downloads a file and delivers its URL on the main actor.
    @discardableResult
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        downloadCall(target, resuming, progress).start().deliver(toMain: completion)
    }

    /// Downloads a file and delivers its URL on a queue. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        downloadCall(target, resuming, progress).start().deliver(on: queue, to: completion)
    }

    private func downloadCall(
        _ target: Target,
        _ resuming: ResumeData?,
        _ progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> DownloadCall {
        DownloadCall(
            of: target,
            to: target.declaredTask.destination,
            on: engine,
            resuming: resuming,
            progress: progress
        ) { builder, options throws(NetworkError) in try options.request(for: target, .download, by: builder) }
    }
}
