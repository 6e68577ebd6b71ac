public import Foundation

extension ResponseDecoding where Value == URL {
    /// The URL of a file with the body, at a destination.
    ///
    /// If the connection is lost, the next attempt resumes the download when the server supports it. A failed call
    /// leaves no file there.
    ///
    /// - Parameter resuming: resume data from an earlier download of the same request; by default the data stored next
    ///   to the destination, if the destination keeps it.
    public static func file(at destination: DownloadDestination = .temporary, resuming: ResumeData? = nil) -> Self {
        let resumeFile = destination.resumeNote.map(ResumeDataFile.init)
        var decoding = Self(decodesBody: false) { response, _ in
            let file = try destination.place(response)
            resumeFile?.remove()
            return file
        }
        decoding.delivery = .file(destination, resuming: resuming)
        decoding.onUnclaimed = { try? FileManager.default.removeItem(at: $0) }
        return decoding
    }
}

extension DownloadSession {
    /// Creates a download session. Without resume data it uses the data stored next to the destination.
    convenience init(to destination: DownloadDestination, in folder: URL, resuming: ResumeData?) {
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

/// The hidden file next to a download's destination that stores resume data for an unfinished download.
private struct ResumeDataFile: Sendable {
    let url: URL

    /// The stored resume data; `nil` if the file does not exist or cannot be read.
    var data: ResumeData? {
        guard let bytes = try? Data(contentsOf: url), bytes.count < 64 << 10 else { return nil }
        return try? JSONDecoder().decode(ResumeData.self, from: bytes)
    }

    /// Replaces the content of the file. `nil` removes the file. A failure is ignored, because it does not affect the
    /// download.
    func write(_ data: ResumeData?) {
        guard let data, let bytes = try? JSONEncoder().encode(data) else { return remove() }
        try? bytes.write(to: url, options: .atomic)
    }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
