import Fixtures
import Foundation
import TestSupport

@testable import NetworkEngineObservation

/// An independent archive validator: Python's jsonschema, if installed, with a schema for HAR 1.2.
enum HARValidator {
    static let isInstalled = Program.python(has: "jsonschema")

    /// - Returns: 0 for a valid archive, and the validator's output.
    static func check(_ file: URL) async throws -> (status: Int32, output: String) {
        let schema = Fixtures.folder.appendingPathComponent("har-1.2-schema.json")
        return try await Program.run(Program.python, ["-c", script, schema.path, file.path])
    }

    private static let script = """
        import datetime, json, sys
        import jsonschema
        schema, archive = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
        jsonschema.Draft202012Validator.check_schema(schema)
        errors = list(jsonschema.Draft202012Validator(schema).iter_errors(archive))
        for error in errors:
            print(list(error.absolute_path), error.message[:300])
        for entry in archive["log"]["entries"]:
            datetime.datetime.fromisoformat(entry["startedDateTime"].replace("Z", "+00:00"))
            phases = [value for name, value in entry["timings"].items() if name != "ssl" and value >= 0]
            if abs(sum(phases) - entry["time"]) > 0.001:
                errors.append("time")
                print("the phases do not add up:", entry["timings"], entry["time"])
        print(len(archive["log"]["entries"]), "entries are", "invalid" if errors else "valid")
        sys.exit(1 if errors else 0)
        """
}
