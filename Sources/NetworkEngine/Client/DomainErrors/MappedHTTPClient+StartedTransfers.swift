// Written by .ci/mapped-errors from HTTPClient+StartedTransfers.swift. Change that file.
public import Dispatch
public import Foundation

extension MappedHTTPClient {
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
    ) -> MappedHandle<Value, Failure> {
        MappedHandle(client.startUpload(endpoint, multipart: parts, as: type), map: mapper.map)
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
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        client.upload(endpoint, multipart: parts, as: type, progress: progress) { completion($0.mapError(mapper.map)) }
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
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        client.upload(endpoint, multipart: parts, as: type, queue: queue, progress: progress) {
            completion($0.mapError(mapper.map))
        }
    }

    /// Starts an upload of a file and returns a handle to await the decoded body, observe its progress and cancel it.
    public func startUpload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self
    ) -> MappedHandle<Value, Failure> {
        MappedHandle(client.startUpload(endpoint, file: file, as: type), map: mapper.map)
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
        completion: @escaping @MainActor @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        client.upload(endpoint, file: file, as: type, progress: progress) { completion($0.mapError(mapper.map)) }
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
        completion: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any NetworkRequest {
        client.upload(endpoint, file: file, as: type, queue: queue, progress: progress) {
            completion($0.mapError(mapper.map))
        }
    }

    /// Starts a download and returns a handle to await its file, observe its progress, pause it and cancel it.
    public func startDownload(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil
    ) -> MappedDownloadHandle<Failure> {
        MappedDownloadHandle(client.startDownload(endpoint, to: destination, resuming: resuming), map: mapper.map)
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
        client.download(endpoint, to: destination, resuming: resuming, progress: progress) {
            completion($0.mapError(mapper.map))
        }
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
        client.download(endpoint, to: destination, resuming: resuming, queue: queue, progress: progress) {
            completion($0.mapError(mapper.map))
        }
    }
}
