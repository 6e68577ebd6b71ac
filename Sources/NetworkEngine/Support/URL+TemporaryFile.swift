package import Foundation

extension URL {
    /// What the names of all files of ours begin with; a UUID follows.
    package static let temporaryFilePrefix = "NetworkEngine-"

    /// A place in the temporary folder where there is no file yet, under a name that nobody can guess.
    package static var freshTemporaryFile: URL { FileManager.default.temporaryDirectory.freshFile }

    /// Such a place in this folder.
    package var freshFile: URL { appendingPathComponent(Self.temporaryFilePrefix + UUID().uuidString) }
}
