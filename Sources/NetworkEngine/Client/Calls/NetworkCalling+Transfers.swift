public import Dispatch
public import Foundation

/// Uploads. Progress counts the bytes sent and is reported on an arbitrary thread.
extension NetworkCalling {
    /// Uploads a request's body and returns the decoded response body.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the response's bytes.
    public func upload<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Value {
        try await run(request, .json, settings: CallSettings(.upload, progress: progress))
    }

    /// Uploads a request's body and returns the response's bytes. You can ignore the result.
    @discardableResult
    public func upload(
        _ request: Request,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Data {
        try await run(request, .discardableData, settings: CallSettings(.upload, progress: progress))
    }

    /// Starts an upload and returns a handle to await the decoded body, observe its progress and cancel it.
    ///
    /// ```swift
    /// let handle = client.startUpload(.post("/users").multipart([photo]), as: User.self)
    /// for await report in handle.progress { show(report.fraction) }
    /// let user = try await handle.value
    /// ```
    public func startUpload<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self
    ) -> CallHandle<Value, Failure> {
        start(request, .json, settings: CallSettings(.upload))
    }

    /// Uploads a request's body and delivers the decoded response on the main actor.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .json, settings: CallSettings(.upload, progress: progress)).deliver(toMain: completion)
    }

    /// Uploads a request's body and delivers the decoded response on a queue.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ request: Request,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        start(request, .json, settings: CallSettings(.upload, progress: progress)).deliver(on: queue, to: completion)
    }
}

/// Downloads of targets, to the task's destination, by default a temporary file.
extension NetworkCalling where Request: TargetType {
    /// Downloads the body of a successful response to the target's destination.
    ///
    /// If the connection is lost, the next attempt resumes the download when the server supports it.
    ///
    /// - Parameters:
    ///   - resuming: resume data from an earlier download of the same target. It remains valid if this download fails.
    ///   - progress: receives the number of bytes received, not the request's bytes.
    /// - Returns: the URL of the complete file. A failed download leaves no file there.
    public func download(
        _ target: Request,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> URL {
        try await run(target, .file(of: target, resuming), settings: CallSettings(.download, progress: progress))
    }

    /// Starts a download and returns a handle to await its file, observe its progress, pause it and cancel it.
    public func startDownload(_ target: Request, resuming: ResumeData? = nil) -> CallHandle<URL, Failure> {
        start(target, .file(of: target, resuming), settings: CallSettings(.download))
    }

    /// Downloads a file and delivers its URL on the main actor. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ target: Request,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, Failure>) -> Void
    ) -> any NetworkRequest {
        start(target, .file(of: target, resuming), settings: CallSettings(.download, progress: progress))
            .deliver(toMain: completion)
    }

    /// Downloads a file and delivers its URL on a queue. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ target: Request,
        resuming: ResumeData? = nil,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<URL, Failure>) -> Void
    ) -> any NetworkRequest {
        start(target, .file(of: target, resuming), settings: CallSettings(.download, progress: progress))
            .deliver(on: queue, to: completion)
    }
}

/// Downloads of endpoints, to a temporary file by default.
extension NetworkCalling where Request == Endpoint {
    /// Downloads the body of a successful response to a destination.
    ///
    /// If the connection is lost, the next attempt resumes the download when the server supports it.
    ///
    /// - Parameters:
    ///   - resuming: resume data from an earlier download of the same endpoint. It remains valid if this download
    ///     fails.
    ///   - progress: receives the number of bytes received, not the request's bytes.
    /// - Returns: the URL of the complete file. A failed download leaves no file there.
    public func download(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> URL {
        let settings = CallSettings(.download, progress: progress)
        return try await run(endpoint, .file(at: destination, resuming: resuming), settings: settings)
    }

    /// Starts a download and returns a handle to await its file, observe its progress, pause it and cancel it.
    public func startDownload(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil
    ) -> CallHandle<URL, Failure> {
        start(endpoint, .file(at: destination, resuming: resuming), settings: CallSettings(.download))
    }

    /// Downloads a file and delivers its URL on the main actor. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, Failure>) -> Void
    ) -> any NetworkRequest {
        let settings = CallSettings(.download, progress: progress)
        return start(endpoint, .file(at: destination, resuming: resuming), settings: settings)
            .deliver(toMain: completion)
    }

    /// Downloads a file and delivers its URL on a queue. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<URL, Failure>) -> Void
    ) -> any NetworkRequest {
        let settings = CallSettings(.download, progress: progress)
        return start(endpoint, .file(at: destination, resuming: resuming), settings: settings)
            .deliver(on: queue, to: completion)
    }
}

extension ResponseDecoding where Value == URL {
    fileprivate static func file(of target: some TargetType, _ resuming: ResumeData?) -> Self {
        .file(at: target.declaredTask.destination, resuming: resuming)
    }
}
