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
        let destination = target.declaredTask.destination
        let files = downloadSession(for: destination, resuming: resuming)
        var options = CallOptions(target: target, use: .download, files: files, progress: progress)
        let request = try options.request(for: target, .download, by: engine.builder)
        return try await engine.value(of: request, options, decoding: destination.decoding)
    }

    /// Starts a download and returns a handle to await its file, observe its progress, pause it and cancel it.
    public func startDownload(_ target: Target, resuming: ResumeData? = nil) -> DownloadHandle {
        let files = downloadSession(for: target.declaredTask.destination, resuming: resuming)
        return DownloadHandle(startDownload(target, files, progress: nil), files: files)
    }

    /// Downloads a file and delivers its URL on the main actor.
    @discardableResult
    public func download(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        let files = downloadSession(for: target.declaredTask.destination, resuming: resuming)
        return startDownload(target, files, progress: progress).deliver(toMain: completion)
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
        let files = downloadSession(for: target.declaredTask.destination, resuming: resuming)
        return startDownload(target, files, progress: progress).deliver(on: queue, to: completion)
    }

    private func startDownload(
        _ target: Target,
        _ files: DownloadSession,
        progress: (@Sendable (TransferProgress) -> Void)?
    ) -> RequestHandle<URL> {
        start(target, target.declaredTask.destination.decoding, .download, files: files, progress: progress) { file in
            // The caller never gets the URL of this file.
            try? FileManager.default.removeItem(at: file)
        }
    }

    private func downloadSession(for destination: DownloadDestination, resuming: ResumeData?) -> DownloadSession {
        let resumeFile = destination.resumeNote.map(ResumeDataFile.init)
        return DownloadSession(
            folder: engine.configuration.temporaryFolder,
            resuming: resuming ?? resumeFile?.data,
            keepsPartial: resumeFile != nil
        ) { data in
            if destination.options.contains(.createFolders), let folder = resumeFile?.url.deletingLastPathComponent() {
                try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            resumeFile?.write(data)
        }
    }
}

extension DownloadDestination {
    /// Moves the file to the destination and then removes its resume data.
    fileprivate var decoding: ResponseDecoding<URL> {
        guard let resumeFile = resumeNote.map(ResumeDataFile.init) else { return placement }
        return placement.map { file, _ in
            resumeFile.remove()
            return file
        }
    }
}

/// The hidden file beside a download's destination that stores resume data for an unfinished download.
private struct ResumeDataFile: Sendable {
    let url: URL

    /// The stored resume data; `nil` if the file does not exist or cannot be read.
    var data: ResumeData? {
        guard let bytes = try? Data(contentsOf: url), bytes.count < 64 << 10 else { return nil }
        return try? JSONDecoder().decode(ResumeData.self, from: bytes)
    }

    /// Replaces the content of the file; removes the file for `nil`. A failure is ignored: it does not affect the
    /// download.
    func write(_ data: ResumeData?) {
        guard let data, let bytes = try? JSONEncoder().encode(data) else { return remove() }
        try? bytes.write(to: url, options: .atomic)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
