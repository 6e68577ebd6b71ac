public import Foundation

/// The files in this folder, for the tests and the demo.
public enum Fixtures {
    /// The bundle that contains the files, in its `JSON` folder.
    public static var bundle: Bundle { .module }

    /// Returns a file's bytes. The name's extension is optional.
    public static func data(_ name: String) throws -> Data {
        let file = name.hasSuffix(".json") ? name : name + ".json"
        return try Data(contentsOf: folder.appendingPathComponent(file))
    }

    /// The folder with the JSON files.
    public static var folder: URL { bundle.bundleURL.appendingPathComponent("JSON") }

    /// Returns the public suffix list (https://publicsuffix.org) that `.ci/public-suffixes` generates a table from.
    public static func publicSuffixList() throws -> String {
        let folder = bundle.bundleURL.appendingPathComponent("PublicSuffixes")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        // The names contain dates, so the newest comes last.
        guard let newest = files.max(by: { $0.lastPathComponent < $1.lastPathComponent }) else { return "" }
        return try String(contentsOf: newest, encoding: .utf8)
    }
}
