import Foundation

/// A download of one target or endpoint: its options, its files and its request.
struct DownloadCall: Sendable {
    private let engine: RequestEngine
    private let destination: DownloadDestination
    private let files: DownloadSession
    private let options: CallOptions
    private let build: RequestEngine.Build

    /// - Parameters:
    ///   - resuming: resume data of an earlier download. By default that beside the destination, if it is requested.
    ///   - build: makes the request.
    init(
        of target: some TargetType,
        to destination: DownloadDestination,
        on engine: RequestEngine,
        resuming: ResumeData?,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        request build: @escaping RequestEngine.Build
    ) {
        self.engine = engine
        self.destination = destination
        self.build = build
        files = DownloadSession(to: destination, in: engine.configuration.temporaryFolder, resuming: resuming)
        options = CallOptions(target: target, use: .download, files: files, progress: progress)
    }

    /// Runs the download and returns the URL of its file.
    func file() async throws(NetworkError) -> URL {
        var options = options
        let request = try build(engine.builder, &options)
        return try await engine.value(of: request, options, decoding: destination.decoding)
    }

    /// Starts the download.
    func start() -> RequestHandle<URL> {
        let unclaimed = { @Sendable (file: URL) in
            // The caller never gets the URL of this file.
            try? FileManager.default.removeItem(at: file)
            return
        }
        return RequestHandle(
            starting: options,
            on: engine,
            decoding: destination.decoding,
            onUnclaimed: unclaimed,
            request: build
        )
    }

    /// Starts the download, which can be paused.
    func startPausable() -> DownloadHandle { DownloadHandle(start(), files: files) }
}

extension DownloadSession {
    /// Creates the session of a download. Without resume data it uses that beside the destination.
    fileprivate convenience init(to destination: DownloadDestination, in folder: URL, resuming: ResumeData?) {
        let resumeFile = destination.resumeNote.map(ResumeDataFile.init)
        self.init(
            folder: folder,
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
