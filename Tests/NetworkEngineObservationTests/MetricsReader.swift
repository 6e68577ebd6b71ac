import Foundation
import TestSupport

@testable import NetworkEngineObservation

/// Third-party parsers: Python's prometheus-client and opentelemetry-proto.
enum MetricsReader {
    struct Failure: Error { let output: String }

    static let isInstalled = Program.python(has: "prometheus_client", "opentelemetry.proto.trace.v1.trace_pb2")

    /// Runs a script that reads a file and prints JSON.
    static func read<Value: Decodable>(_ text: String, with script: String, as type: Value.Type = Value.self)
        async throws
        -> Value
    {
        let folder = try TemporaryFolder()
        let file = try folder.file("input", text)
        let (status, output) = try await Program.run(Program.python, ["-c", script, file.path])
        guard status == 0 else { throw Failure(output: output) }
        return try JSONDecoder().decode(Value.self, from: Data(output.utf8))
    }
}
