public import Foundation
import NetworkEngine

/// Finds fixture files by name in a bundle or folder, including subfolders, and decodes them.
///
/// ```swift
/// let fixtures = FixtureLoader(bundle: .module)
/// let users = try fixtures.load("UserListResponse", as: UserList.self, keyDecodingStrategy: .convertFromSnakeCase)
/// ```
/// A name can omit `.json` and start with folders. A file at the top level takes precedence over files in subfolders. A
/// name that matches files in several subfolders is an error.
///
/// Declare one loader with your app's decoder, because the mocks of targets, clients and previews decode their fixtures
/// with it:
/// ```swift
/// extension FixtureLoader {
///     static let app = FixtureLoader(bundle: .module, decoder: .app)
/// }
/// ```
public struct FixtureLoader: Sendable {
    /// The folder to search.
    public let folder: URL
    /// Decodes fixtures.
    public let decoder: JSONDecoder

    /// Searches a folder.
    public init(folder: URL, decoder: JSONDecoder = JSONDecoder()) {
        self.folder = folder
        self.decoder = decoder
    }

    /// Searches the resources of a bundle.
    public init(bundle: Bundle, decoder: JSONDecoder = JSONDecoder()) {
        self.init(folder: bundle.resourceURL ?? bundle.bundleURL, decoder: decoder)
    }

    /// A loader that searches a folder.
    public static func folder(_ folder: URL, decoder: JSONDecoder = JSONDecoder()) -> FixtureLoader {
        FixtureLoader(folder: folder, decoder: decoder)
    }

    /// A loader that searches the resources of a bundle.
    public static func bundle(_ bundle: Bundle, decoder: JSONDecoder = JSONDecoder()) -> FixtureLoader {
        FixtureLoader(bundle: bundle, decoder: decoder)
    }

    /// The bytes of a fixture.
    ///
    /// - Parameter values: The values of placeholders such as `{{id}}`. Every placeholder needs one. Without values the
    ///   file is used unchanged.
    public func data(_ name: String, values: [String: String] = [:]) throws(FixtureError) -> Data {
        try file(name, values).data
    }

    /// Decodes a fixture.
    ///
    /// - Parameters:
    ///   - values: The values of placeholders such as `{{id}}`.
    ///   - decoder: Decodes this fixture instead of the loader's decoder.
    public func load<Value: Decodable>(
        _ name: String,
        as type: Value.Type = Value.self,
        values: [String: String] = [:],
        decoder: JSONDecoder? = nil
    ) throws(FixtureError) -> Value {
        try file(name, values).decode(type, with: BodyDecoder(decoder ?? self.decoder))
    }

    /// Decodes a fixture with a key decoding strategy, such as a target's, instead of the decoder's.
    public func load<Value: Decodable>(
        _ name: String,
        as type: Value.Type = Value.self,
        values: [String: String] = [:],
        keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy
    ) throws(FixtureError) -> Value {
        try file(name, values).decode(type, with: BodyDecoder(decoder, keys: keyDecodingStrategy))
    }

    private func file(_ name: String, _ values: [String: String]) throws(FixtureError) -> FixtureFile {
        let file = try file(name)
        return values.isEmpty ? file : try file.filled { values[$0] }
    }

    func file(_ name: String) throws(FixtureError) -> FixtureFile {
        let url = try find(name)
        do {
            return FixtureFile(name: name, url: url, data: try Data(contentsOf: url))
        } catch {
            throw FixtureError(name: name, file: url, reason: "the file cannot be read")
        }
    }

    private func find(_ name: String) throws(FixtureError) -> URL {
        let candidates = [name, name + ".json", name + ".response.json"]
        for candidate in candidates {
            let url = folder.appendingPathComponent(candidate)
            if FileManager.default.isFile(url) { return url }
        }
        let files = FileManager.default.files(in: folder)
        for candidate in candidates {
            let found = files.filter { $0.path.hasSuffix("/" + candidate) }
            if found.count == 1 { return found[0] }
            if found.count > 1 {
                let places = found.map(relativePath).joined(separator: ", ")
                throw FixtureError(name: name, reason: "there are several in \(folder.path): \(places)")
            }
        }
        let names = files.prefix(8).map(relativePath).joined(separator: ", ")
        let there = files.isEmpty ? "it has no files" : "it has " + names + (files.count > 8 ? ", …" : "")
        throw FixtureError(name: name, reason: "not found in \(folder.path); \(there)")
    }

    private func relativePath(_ file: URL) -> String {
        let root = folder.standardizedFileURL.resolvingSymlinksInPath().path
        let path = file.standardizedFileURL.resolvingSymlinksInPath().path
        return path.hasPrefix(root) ? String(path.dropFirst(root.count).drop { $0 == "/" }) : path
    }
}

extension FileManager {
    fileprivate func isFile(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }

    /// Returns all files in a folder and its subfolders, sorted by path.
    fileprivate func files(in folder: URL) -> [URL] {
        let names = (try? subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }.filter(isFile)
    }
}
