import Dispatch
import Foundation

/// Programs of the system that tests use where they are installed.
package enum Program {
    package static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The Python of an environment that `.ci/run` installs, unless a variable names another.
    package static func python(of environment: String, variable: String? = nil) -> String {
        if let variable, let path = ProcessInfo.processInfo.environment[variable] { return path }
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        return package.appendingPathComponent(".build/\(environment)/bin/python3").path
    }

    /// Runs a program to its end, or until the task is cancelled.
    ///
    /// - Returns: The exit status, 0 for success, and all output.
    package static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: String) {
        let process = try ChildProcess(path(of: name) ?? name, arguments, environment: environment)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                DispatchQueue.global().async {
                    let output = process.read()
                    ended.resume(returning: (process.wait(), output))
                }
            }
        } onCancel: {
            process.kill()
        }
    }
}
