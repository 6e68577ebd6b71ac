public import Dispatch
public import Foundation

extension HTTPClient {
    /// Starts an upload of a form and returns a handle to await the decoded body, observe its progress and cancel it.
    ///
    /// ```swift
    /// let handle = client.startUpload(.post("/users"), multipart: [photo], as: User.self)
    /// for await report in handle.progress { show(report.fraction) }
    /// let user = try await handle.value
    /// ```
    public func startUpload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: Value.Type = Value.self
    ) -> RequestHandle<Value> {
        startUpload(endpoint, .uploadMultipart(parts), nil)
    }

    /// Uploads a form and delivers the decoded response on the main actor.
    ///
    /// - Parameter progress: receives the number of bytes sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        startUpload(endpoint, .uploadMultipart(parts), progress).deliver(toMain: completion)
    }

    /// Uploads a form and delivers the decoded response on a queue.
    ///
    /// - Parameter progress: receives the number of bytes sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        startUpload(endpoint, .uploadMultipart(parts), progress).deliver(on: queue, to: completion)
    }

    /// Starts an upload of a file and returns a handle to await the decoded body, observe its progress and cancel it.
    public func startUpload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self
    ) -> RequestHandle<Value> {
        startUpload(endpoint, .uploadFile(file), nil)
    }

    /// Uploads a file as the body and delivers the decoded response on the main actor.
    ///
    /// - Parameter progress: receives the number of bytes sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        startUpload(endpoint, .uploadFile(file), progress).deliver(toMain: completion)
    }

    /// Uploads a file as the body and delivers the decoded response on a queue.
    ///
    /// - Parameter progress: receives the number of bytes sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        startUpload(endpoint, .uploadFile(file), progress).deliver(on: queue, to: completion)
    }

    private func startUpload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        _ task: NetworkTask,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) -> RequestHandle<Value> {
        let target = uploadTarget(endpoint, task)
        let options = CallOptions(target: target, use: .upload, progress: progress)
        return RequestHandle(starting: options, on: engine, decoding: .json) {
            builder, options throws(NetworkError) in try options.request(for: target, by: builder.rules)
        }
    }
}

extension HTTPClient {
    /// Starts a download and returns a handle to await its file, observe its progress, pause it and cancel it.
    public func startDownload(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil
    ) -> DownloadHandle {
        downloadCall(endpoint, destination, resuming).startPausable()
    }

    /// Downloads a file and delivers its URL on the main actor. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        downloadCall(endpoint, destination, resuming, progress).start().deliver(toMain: completion)
    }

    /// Downloads a file and delivers its URL on a queue. Progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        downloadCall(endpoint, destination, resuming, progress).start().deliver(on: queue, to: completion)
    }
}
