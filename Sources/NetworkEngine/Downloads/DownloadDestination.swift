public import Foundation

/// Where a download ends up.
///
/// ```swift
/// .downloadDestination(.file(at: folder.appendingPathComponent("report.pdf"), options: [.replace]))
/// ```
/// The file appears there complete or not at all, and when the download fails or is cancelled nothing stays behind.
public struct DownloadDestination: Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Make the folders that are missing on the way.
        public static let createFolders = Self(rawValue: 1 << 0)
        /// Replace a file that is there already; without this the download fails and the file stays.
        public static let replace = Self(rawValue: 1 << 1)
        /// Go on where the last download to the same `.file(at:)` was broken off, by whatever: an error, a cancellation,
        /// the end of the process.
        ///
        /// For this what came stays in the temporary folder when it fails, and a note of it beside the destination, in a
        /// hidden file.
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

    /// A file of a new name in the temporary folder; it is the caller's to remove.
    public static let temporary = DownloadDestination(place: .temporary, options: [])

    /// Exactly this file.
    public static func file(at url: URL, options: Options = [.createFolders]) -> Self {
        DownloadDestination(place: .file(url), options: options)
    }

    /// A file in this folder, named as the server suggests, else as the address ends.
    ///
    /// A name is reduced to its last component and cannot lead out of the folder. Dots at its start, control characters
    /// and marks of direction are dropped, names of devices get an underscore, and what file systems have no room for is
    /// cut off before the extension.
    public static func suggested(in folder: URL, options: Options = [.createFolders]) -> Self {
        DownloadDestination(place: .folder(folder), options: options)
    }

    /// A file chosen when the response's head is known.
    public static func custom(
        options: Options = [.createFolders],
        _ choose: @escaping @Sendable (HTTPResponse) throws -> URL
    ) -> Self {
        DownloadDestination(place: .custom(choose), options: options)
    }

    /// The same destination, for a file that must have this digest; one that has not never appears there.
    ///
    /// ```swift
    /// .downloadDestination(.file(at: place).verifying(.sha256("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b…")))
    /// ```
    public func verifying(_ digest: DownloadDigest) -> Self {
        var destination = self
        destination.digest = digest
        return destination
    }

    /// Where it is noted how to go on with a download that was broken off, if that is wanted.
    package var resumeNote: URL? {
        guard options.contains(.resume), case .file(let url) = place else { return nil }
        return url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).resume")
    }
}
