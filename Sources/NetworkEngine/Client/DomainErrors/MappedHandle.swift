public import Foundation

/// A request in progress and its future value, with the app's errors.
///
/// ```swift
/// let handle = users.start(.user(7), as: User.self)            // of a provider with mapped errors
/// let user = try await handle.value                            // throws APIError
/// ```
/// It behaves like the `RequestHandle` of a provider without mapped errors.
public final class MappedHandle<Value: Sendable, Failure: Error>: NetworkRequest {
    private let handle: RequestHandle<Value>
    private let map: @Sendable (NetworkError) -> Failure

    init(_ handle: RequestHandle<Value>, map: @escaping @Sendable (NetworkError) -> Failure) {
        self.handle = handle
        self.map = map
    }

    /// The decoded value. Canceling the task that awaits it cancels the request.
    public var value: Value {
        get async throws(Failure) { try await result.get() }
    }

    /// The value or the error. Canceling the task that awaits it cancels the request.
    public var result: Result<Value, Failure> {
        get async { await handle.result.mapError(map) }
    }

    /// The progress of the transfer, beginning with the latest report. The stream ends with the request.
    public var progress: AsyncStream<TransferProgress> { handle.progress }

    public var isCancelled: Bool { handle.isCancelled }

    public func cancel() { handle.cancel() }

    /// Creates a `Progress` that can be observed, added to another one, and canceled.
    ///
    /// It counts the bytes of the direction that was reported last. The total is -1 until it is known.
    public func makeProgress() -> Progress { handle.makeProgress() }
}

/// A download in progress and its future file, with the app's errors.
///
/// ```swift
/// let handle = users.startDownload(.report)                    // of a provider with mapped errors
/// handle.pause()
/// handle.resume()
/// let file = try await handle.value                            // throws APIError
/// ```
/// It behaves like the `DownloadHandle` of a provider without mapped errors.
public final class MappedDownloadHandle<Failure: Error>: NetworkRequest {
    private let handle: DownloadHandle
    private let map: @Sendable (NetworkError) -> Failure

    init(_ handle: DownloadHandle, map: @escaping @Sendable (NetworkError) -> Failure) {
        self.handle = handle
        self.map = map
    }

    /// The URL of the complete file. Canceling the task that awaits it cancels the download.
    public var value: URL {
        get async throws(Failure) { try await result.get() }
    }

    /// The URL of the complete file, or the error. Canceling the task that awaits it cancels the download.
    public var result: Result<URL, Failure> {
        get async { await handle.result.mapError(map) }
    }

    /// The progress of the download, beginning with the latest report. The stream ends with the download.
    public var progress: AsyncStream<TransferProgress> { handle.progress }

    public var isCancelled: Bool { handle.isCancelled }
    /// Whether the download is paused: `pause()` was called, and `resume()` was not called since then.
    public var isPaused: Bool { handle.isPaused }

    /// Cancels the download. The partial file is removed, unless the destination or the resume data keeps it.
    public func cancel() { handle.cancel() }

    /// Closes the connection and keeps the partial file until `resume()`.
    ///
    /// A pause does not count as an attempt and does not use an attempt's time. A deadline for the whole call
    /// continues.
    public func pause() { handle.pause() }

    /// Continues a paused download with a new request for the remaining bytes.
    public func resume() { handle.resume() }

    /// Cancels the download and returns the data to resume it later, in this process or another.
    ///
    /// Returns `nil` if the download cannot be resumed: no byte has arrived, the file is complete, or the server sent
    /// no strong validator.
    public func cancelProducingResumeData() async -> ResumeData? { await handle.cancelProducingResumeData() }

    /// Creates a `Progress` that can be observed, added to another one, paused and canceled.
    public func makeProgress() -> Progress { handle.makeProgress() }
}
