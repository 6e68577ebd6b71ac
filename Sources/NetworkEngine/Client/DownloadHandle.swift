public import Foundation

/// A download in progress and its future file.
///
/// ```swift
/// let handle = provider.startDownload(.report)
/// handle.pause()
/// handle.resume()
/// let file = try await handle.value
/// ```
/// A paused or interrupted download resumes at its last byte if the server named the file with a strong validator and
/// the file is unchanged. Otherwise the download restarts from the beginning.
public final class DownloadHandle: NetworkRequest {
    private let handle: RequestHandle<URL>
    private let files: DownloadSession

    init(_ handle: RequestHandle<URL>, files: DownloadSession) {
        self.handle = handle
        self.files = files
    }

    /// The URL of the complete file. Canceling the task that awaits it cancels the download.
    public var value: URL {
        get async throws(NetworkError) { try await handle.value }
    }

    /// The URL of the complete file, or the error. Canceling the task that awaits it cancels the download.
    public var result: Result<URL, NetworkError> {
        get async { await handle.result }
    }

    /// The progress of the download, beginning with the latest report. The stream ends with the download.
    public var progress: AsyncStream<TransferProgress> { handle.progress }

    public var isCancelled: Bool { handle.isCancelled }
    /// Whether the download is paused: `pause()` was called, and `resume()` was not called since then.
    public var isPaused: Bool { files.gate.isPaused }

    /// Whether the download began again although it had bytes, because they could not be continued.
    ///
    /// This is the case for resume data of another address, for bytes that are missing, and for a resource that has
    /// changed on the server.
    public var startedOver: Bool { files.startedOver }

    /// Cancels the download. The partial file is removed, unless the destination or the resume data keeps it.
    public func cancel() { handle.cancel() }

    /// Closes the connection and keeps the partial file until `resume()`.
    ///
    /// A pause does not count as an attempt and does not use an attempt's time. A deadline for the whole call
    /// continues.
    public func pause() { files.gate.pause() }

    /// Continues a paused download with a new request for the remaining bytes.
    public func resume() { files.gate.resume() }

    /// Cancels the download and returns the data to resume it later, in this process or another.
    ///
    /// Returns `nil` if the download cannot be resumed: no byte has arrived, the file is complete, or the server sent
    /// no strong validator.
    public func cancelProducingResumeData() async -> ResumeData? {
        // An earlier `cancel()` has discarded the partial file.
        if !handle.isCancelled { files.keepPartial() }
        handle.cancel()
        return await files.resumeData()
    }
}

extension DownloadHandle {
    /// Creates a `Progress` that can be observed, added to another one, paused and canceled.
    public func makeProgress() -> Progress {
        let progress = handle.makeProgress()
        progress.isPausable = true
        progress.pausingHandler = { [weak self] in self?.pause() }
        progress.resumingHandler = { [weak self] in self?.resume() }
        return progress
    }
}
