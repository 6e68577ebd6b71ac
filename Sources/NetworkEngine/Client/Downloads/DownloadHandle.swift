public import Foundation

/// A download on its way, and the file that it will bring.
///
/// ```swift
/// let handle = provider.startDownload(.report)
/// handle.pause()
/// handle.resume()
/// let file = try await handle.value
/// ```
/// A download that is paused or cut off goes on where it was, when the server has named the file with a strong validator
/// and still has the same; else it begins anew by itself.
public final class DownloadHandle: NetworkRequest {
    private let handle: RequestHandle<URL>
    private let files: DownloadSession

    package init(_ handle: RequestHandle<URL>, files: DownloadSession) {
        self.handle = handle
        self.files = files
    }

    /// Where the file is, as soon as it is there; when the task that waits for it is cancelled, the download is too.
    public var value: URL {
        get async throws(NetworkError) { try await handle.value }
    }

    /// The file's place or the error, as soon as one is there; cancelling works as for `value`.
    public var result: Result<URL, NetworkError> {
        get async { await handle.result }
    }

    /// Reports of how far the download has come, from the latest on; they end when it does.
    public var progress: AsyncStream<TransferProgress> { handle.progress }

    public var isCancelled: Bool { handle.isCancelled }
    public var isPaused: Bool { files.gate.isPaused }

    /// Ends the download. What has come is removed, unless the destination or resume data says otherwise.
    public func cancel() { handle.cancel() }

    /// Closes the connection and keeps what has come, until `resume()`.
    ///
    /// No attempt is counted and no attempt's time runs meanwhile; a deadline for the whole call does.
    public func pause() { files.gate.pause() }

    /// Goes on after `pause()`, with a new request for the rest.
    public func resume() { files.gate.resume() }

    /// Ends the download, and gives what is needed to go on with it later, in this process or another.
    ///
    /// `nil` when there is nothing to go on with: no byte has come, all have, or the server has not said what would tell
    /// whether its file is still the same.
    public func cancelProducingResumeData() async -> ResumeData? {
        // What was cancelled before is not kept after all.
        if !handle.isCancelled { files.keepPartial() }
        handle.cancel()
        return await files.resumeData()
    }
}

extension DownloadHandle {
    /// The progress as Foundation has it, which can be shown, observed, made part of another, and cancelled or paused.
    public func makeProgress() -> Progress {
        let progress = handle.makeProgress()
        progress.isPausable = true
        progress.pausingHandler = { [weak self] in self?.pause() }
        progress.resumingHandler = { [weak self] in self?.resume() }
        return progress
    }
}
