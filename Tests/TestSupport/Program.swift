import Dispatch
import Foundation

/// System programs that tests use if they are installed.
package enum Program {
    /// The path of an installed program; `nil` on platforms that can't start programs.
    package static func path(of name: String) -> String? {
        #if !os(macOS) && canImport(Darwin)
        return nil
        #else
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        #endif
    }

    /// Whether a test can run again in a separate process: elsewhere, the first argument isn't the test program.
    package static var canRepeatTests: Bool {
        #if os(Linux)
        true
        #else
        false
        #endif
    }

    /// The Python with the packages that `.ci/run` installs, unless `NETWORKENGINE_PYTHON` specifies another.
    package static let python: String = {
        if let path = ProcessInfo.processInfo.environment["NETWORKENGINE_PYTHON"] { return path }
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        return package.appendingPathComponent(".build/python/bin/python3").path
    }()

    /// Whether that Python has all these packages. They are only located: loading them would take a second.
    package static func python(has packages: String...) -> Bool {
        let script = """
            import importlib.util, sys
            sys.exit(any(importlib.util.find_spec(name) is None for name in sys.argv[1:]))
            """
        return (try? ChildProcess(python, ["-c", script] + packages, discardsErrors: true))?.wait() == 0
    }

    /// Runs a program to its end, or until the task is canceled.
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

    /// Runs a suite with a single test again, in a process that a command starts.
    ///
    /// - Returns: The output of a failed run.
    package static func failure(
        of suite: String,
        under command: [String],
        environment: [String: String]
    ) async throws -> String? {
        let tests = [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", suite]
        let (status, output) = try await run(command[0], command.dropFirst() + tests, environment: environment)
        // A filter without a match also exits with status 0.
        return status == 0 && output.contains("with 1 test in 1 suite passed") ? nil : "status \(status)\n\(output)"
    }
}
