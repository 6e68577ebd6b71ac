package import Foundation

extension URL {
    /// A place in the temporary folder where there is no file yet, under a name that nobody can guess.
    package static var freshTemporaryFile: URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngine-\(UUID().uuidString)")
    }
}
