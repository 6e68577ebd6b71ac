package import Foundation

extension URL {
    /// The prefix of all temporary file names in this package, before a UUID.
    static let temporaryFilePrefix = "NetworkEngine-"

    /// An unused path in the temporary folder, with a name that cannot be guessed.
    package static var freshTemporaryFile: URL { FileManager.default.temporaryDirectory.freshFile }

    /// An unused path in this folder, with a name that cannot be guessed.
    package var freshFile: URL { appendingPathComponent(Self.temporaryFilePrefix + UUID().uuidString) }
}
