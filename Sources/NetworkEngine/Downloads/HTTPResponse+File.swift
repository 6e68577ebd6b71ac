import Foundation

extension HTTPResponse {
    /// Removes the file with the body.
    package func discardFile() {
        if case .file(let url) = body { try? FileManager.default.removeItem(at: url) }
    }

    /// The same response with the start of its file in memory, for use in an error. The file is removed.
    package func movingFileIntoMemory(limit: Int = 64 << 10) -> HTTPResponse {
        guard case .file(let url) = body else { return self }
        defer { discardFile() }
        var copy = self
        let handle = try? FileHandle(forReadingFrom: url)
        copy.body = .data((try? handle?.read(upToCount: limit)) ?? Data())
        try? handle?.close()
        return copy
    }
}
