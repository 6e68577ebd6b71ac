package import Foundation

/// A folder that is removed at the end of a test.
package struct TemporaryFolder: ~Copyable {
    package let url: URL

    /// Creates the folder with these files, which may be in subfolders.
    package init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngineTests-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { _ = try file(path, text) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file into the folder.
    package func file(_ path: String, _ text: String) throws -> URL {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file
    }
}

/// Provides the URL of a file that doesn't exist yet, and removes the file afterwards.
package func withTemporaryFile<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = try TemporaryFolder()
    return try await body(folder.url.appendingPathComponent("file"))
}
