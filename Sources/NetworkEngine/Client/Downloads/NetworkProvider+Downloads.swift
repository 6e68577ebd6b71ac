public import Dispatch
public import Foundation

extension NetworkProvider {
    /// Saves the body of a successful response to the target's destination, a temporary file when it names none.
    ///
    /// What a lost connection has cut off is gone on with by the next attempt, where the server lets it.
    ///
    /// - Parameters:
    ///   - resuming: what an earlier download of the same target has left. It stays good when this one fails.
    ///   - progress: reports the bytes that are received, not those of the request.
    /// - Returns: where the file is. It is there complete, or not at all.
    @concurrent
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> URL {
        let destination = target.task.destination
        var options = CallOptions(target: target)
        options.files = files(for: destination, resuming: resuming)
        options.progress = progress
        options.progressDirection = .receiving
        let request = try engine.builder.request(for: target, use: .download)
        return try await engine.value(of: request, options, decoding: destination.placementEndingNote)
    }

    /// Starts a download and gives a handle to wait for the file's place, to follow its progress, to hold it up and to
    /// call it off.
    public func startDownload(_ target: Target, resuming: ResumeData? = nil) -> DownloadHandle {
        let files = files(for: target.task.destination, resuming: resuming)
        return DownloadHandle(download(target, to: files, reporting: nil), files: files)
    }

    /// Downloads, going on with what an earlier download has left, and delivers the file's place on the main actor.
    @discardableResult
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        download(target, to: files(for: target.task.destination, resuming: resuming), reporting: progress)
            .deliver(toMain: completion)
    }

    /// Downloads, and delivers the file's place on a queue; progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        download(target, to: files(for: target.task.destination, resuming: resuming), reporting: progress)
            .deliver(on: queue, to: completion)
    }

    private func download(
        _ target: Target,
        to files: DownloadSession,
        reporting progress: (@Sendable (TransferProgress) -> Void)?
    ) -> RequestHandle<URL> {
        let decoding = target.task.destination.placementEndingNote
        return start(target, decoding, .download, files: files, progress: progress) { file in
            // Nobody will hear of it any more.
            try? FileManager.default.removeItem(at: file)
        }
    }

    private func files(for destination: DownloadDestination, resuming: ResumeData? = nil) -> DownloadSession {
        let note = destination.resumeNote.map(ResumeNote.init)
        return DownloadSession(
            folder: engine.configuration.temporaryFolder,
            resuming: resuming ?? note?.data,
            keepsPartial: note != nil
        ) { data in
            if destination.options.contains(.createFolders), let folder = note?.place.deletingLastPathComponent() {
                try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            note?.write(data)
        }
    }
}

extension DownloadDestination {
    /// Moves the file to its place; then there is nothing to go on with.
    fileprivate var placementEndingNote: ResponseDecoding<URL> {
        guard let note = resumeNote.map(ResumeNote.init) else { return placement }
        return placement.map { file, _ in
            note.remove()
            return file
        }
    }
}
