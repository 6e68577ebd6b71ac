import DemoTour
import Foundation
import NetworkEngine
import TestSupport

/// A run of the demo, with its output.
final class TourRun: Sendable {
    let status: Int32
    let output: String
    let errors: String
    /// The folder with the recordings. It's removed with the run.
    private let folder: TemporaryFolder

    init(
        _ arguments: [String] = [],
        steps: [Step] = Step.all,
        isTerminal: Bool = false,
        environment: [String: String] = [:]
    ) async throws {
        let (output, errors) = (Locked(""), Locked(""))
        let console = Console(
            isTerminal: isTerminal,
            write: { text in output.withLock { $0 += text } },
            writeError: { text in errors.withLock { $0 += text } })
        folder = try TemporaryFolder()
        let arguments = arguments.contains("--output") ? arguments : arguments + ["--output", folder.url.path]
        status = await Tour(console: console, steps: steps).run(arguments, environment: environment)
        self.output = output.withLock { $0 }
        self.errors = errors.withLock { $0 }
    }

    /// The path of the folder with the recordings.
    var path: String { folder.url.path }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    func text(of file: String) throws -> String {
        try String(contentsOf: folder.url.appendingPathComponent(file), encoding: .utf8)
    }
}
