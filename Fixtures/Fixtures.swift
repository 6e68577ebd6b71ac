public import Foundation

/// The files of this folder, for the tests and the demo.
public enum Fixtures {
    /// The bundle that holds them, in its folder `JSON`.
    public static var bundle: Bundle { .module }

    /// The bytes of a file, named with or without its extension.
    public static func data(_ name: String) throws -> Data {
        let file = name.hasSuffix(".json") ? name : name + ".json"
        return try Data(contentsOf: folder.appendingPathComponent(file))
    }

    /// The folder that holds the JSON files.
    public static var folder: URL { bundle.bundleURL.appendingPathComponent("JSON") }

    /// The public suffix list (https://publicsuffix.org), from which `.ci/public-suffixes` generates a table.
    public static func publicSuffixList() throws -> String {
        let folder = bundle.bundleURL.appendingPathComponent("PublicSuffixes")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        // The names contain dates, so that the newest is the last.
        guard let newest = files.max(by: { $0.lastPathComponent < $1.lastPathComponent }) else { return "" }
        return try String(contentsOf: newest, encoding: .utf8)
    }
}
