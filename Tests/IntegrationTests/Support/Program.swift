import Dispatch
import Foundation

/// Programs of the system that tests can use where they are installed.
enum Program {
    static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end.
    ///
    /// - Returns: 0 when all went well, and everything it printed.
    static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { ended in
            DispatchQueue.global().async {
                ended.resume(with: Result { try runAndWait(name, arguments, environment) })
            }
        }
    }

    private static func runAndWait(
        _ name: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) throws -> (status: Int32, output: String) {
        let process = try ChildProcess(path(of: name) ?? name, arguments, environment: environment)
        let output = process.read()
        return (process.wait(), output)
    }
}
