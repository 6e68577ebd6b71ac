public import Foundation

/// The JSON files of this folder, for the tests and the demo.
public enum Fixtures {
    /// The bundle that holds them, in its folder `JSON`.
    public static var bundle: Bundle { .module }

    /// The bytes of a file, named with or without its extension.
    public static func data(_ name: String) throws -> Data {
        let file = name.hasSuffix(".json") ? name : name + ".json"
        return try Data(contentsOf: folder.appendingPathComponent(file))
    }

    /// The folder that holds the files.
    public static var folder: URL { bundle.bundleURL.appendingPathComponent("JSON") }
}
