public import Foundation

/// The destination of a download.
///
/// ```swift
/// .downloadDestination(.file(at: folder.appendingPathComponent("report.pdf"), options: [.replace]))
/// ```
/// The complete file appears there, or none at all. A download that fails or is canceled leaves nothing behind.
public struct DownloadDestination: Sendable {
    /// The treatment of existing files, missing folders and interrupted downloads.
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Creates missing folders on the path.
        public static let createFolders = Self(rawValue: 1 << 0)
        /// Replaces an existing file. Without this option the download fails and the file is unchanged.
        public static let replace = Self(rawValue: 1 << 1)
        /// Resumes the last download to the same `.file(at:)` after an error, a cancellation or the end of the process.
        ///
        /// The partial file of a failed download remains in the temporary folder, and a hidden file next to the
        /// destination contains its resume data.
        public static let resume = Self(rawValue: 1 << 2)
    }

    package enum Place: Sendable {
        case temporary
        case file(URL)
        case folder(URL)
        case custom(@Sendable (HTTPResponse) throws -> URL)
    }

    package let place: Place
    package let options: Options
    package private(set) var digest: DownloadDigest?

    /// A file with a new name in the temporary folder. The caller removes it.
    public static let temporary = DownloadDestination(place: .temporary, options: [])

    /// A file at this URL.
    public static func file(at url: URL, options: Options = [.createFolders]) -> Self {
        DownloadDestination(place: .file(url), options: options)
    }

    /// A file in this folder, with the name that the server suggests, or the last component of the URL.
    ///
    /// A name is reduced to its last component and cannot lead out of the folder. Leading dots, control characters and
    /// directional marks are dropped, device names get an underscore, and a stem that is too long for file systems is
    /// shortened before the extension.
    public static func suggested(in folder: URL, options: Options = [.createFolders]) -> Self {
        DownloadDestination(place: .folder(folder), options: options)
    }

    /// A file that is chosen when the response's head arrives.
    public static func custom(
        options: Options = [.createFolders],
        _ choose: @escaping @Sendable (HTTPResponse) throws -> URL
    ) -> Self {
        DownloadDestination(place: .custom(choose), options: options)
    }

    /// The same destination with a digest. A file with a different digest never appears there.
    ///
    /// ```swift
    /// .downloadDestination(.file(at: place).verifying(.sha256("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b…")))
    /// ```
    public func verifying(_ digest: DownloadDigest) -> Self {
        var destination = self
        destination.digest = digest
        return destination
    }

    /// The file with the resume data of an interrupted download, if resuming is enabled.
    var resumeNote: URL? {
        guard options.contains(.resume), case .file(let url) = place else { return nil }
        return url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).resume")
    }
}
