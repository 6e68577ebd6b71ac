import Foundation
import NetworkEngine

/// A cookie jar's file, which only its user can read.
///
/// Saving replaces the whole file, so that a reader sees either all old cookies or all new ones.
struct CookieFile: Sendable {
    private struct Content: Codable {
        var version = 1
        var cookies: [StoredCookie]
    }

    /// The maximum size of a file to read. A full jar needs less.
    private static let limit = 64 << 20

    let url: URL

    init(_ url: URL) { self.url = url }

    /// The location for a file that could not be read.
    var setAside: URL { url.appendingPathExtension("corrupt") }

    /// The saved cookies; `nil` if there is no file. A file that is not a cookie file is moved aside.
    func load() throws -> [StoredCookie]? {
        let files = FileManager.default
        guard files.fileExists(atPath: url.path) else { return nil }
        let file = try BodyFile.reading(url)
        let data = file.length > Self.limit ? Data() : try bytes(of: file)
        guard let content = try? JSONDecoder().decode(Content.self, from: data), content.version == 1 else {
            try files.place(url, at: setAside, replacing: true)
            return nil
        }
        return content.cookies
    }

    func save(_ cookies: [StoredCookie]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(Content(cookies: cookies))
        let folder = url.deletingLastPathComponent()
        let neighbor = folder.appendingPathComponent(".\(url.lastPathComponent)-\(UUID().uuidString)")
        let file = try BodyFile.creating(neighbor)
        do {
            try file.write(data)
            try FileManager.default.place(neighbor, at: url, replacing: true)
        } catch {
            file.remove()
            throw error
        }
    }

    private func bytes(of file: BodyFile) throws -> Data {
        var data = Data(count: Int(file.length))
        try data.withUnsafeMutableBytes { try file.fill($0, at: 0) }
        return data
    }
}
