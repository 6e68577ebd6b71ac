import Foundation

extension HTTPResponse {
    /// Removes the file that the body was saved to, when nobody will want it.
    package func discardFile() {
        if case .file(let url) = body { try? FileManager.default.removeItem(at: url) }
    }

    /// The same response without a body that is still coming.
    package var withoutStream: HTTPResponse {
        guard case .stream = body else { return self }
        var copy = self
        copy.body = .data(Data())
        return copy
    }

    /// The same response with its file's beginning in memory, for an error to show; the file is removed.
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
