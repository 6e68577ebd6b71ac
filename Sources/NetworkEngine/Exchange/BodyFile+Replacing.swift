package import Foundation

extension BodyFile {
    /// Replaces a file atomically by one that only its owner can read.
    package static func replace(_ url: URL, _ write: (BodyFile) throws -> Void) throws {
        let url = url.resolvingSymlinksInPath()
        let new = url.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
        let file = try BodyFile.creating(new)
        do {
            try write(file)
            guard rename(new.path, url.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            file.remove()
            throw error
        }
    }
}
