import Foundation
import NetworkEngine
import TerminalProgress

/// A step of the tour: calls to the service, and their outcome in one or two lines.
package struct Step: Sendable {
    package let name: String
    package let title: String
    /// The source file. The lines between `// sample` and `// end` are shown as the step's code.
    private let file: String
    let run: @Sendable (Stage) async throws -> [String]

    package init(
        _ name: String,
        _ title: String,
        file: String = #filePath,
        run: @escaping @Sendable (Stage) async throws -> [String]
    ) {
        self.name = name
        self.title = title
        self.file = file
        self.run = run
    }

    /// The steps in order.
    package static let all: [Step] = [
        .signIn, .refresh, .retry, .offline, .download, .cache, .pages, .upload, .events, .socket, .query, .mocks,
        .transports,
    ]

    /// The lines in the source file that perform the step, without their common indentation.
    package func code() throws -> [String] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw TourFailure("The source file \(file) cannot be read.")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let words = lines.map { $0.drop { $0 == " " } }
        guard let start = words.firstIndex(of: "// sample"), let end = words[start...].firstIndex(of: "// end") else {
            throw TourFailure("The source file \(file) has no sample.")
        }
        let sample = lines[(start + 1)..<end]
        let indent = sample.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return sample.map { String($0.dropFirst(indent)) }
    }
}

/// The environment of a step.
package struct Stage: Sendable {
    let service: DemoService
    /// Sends all calls to the service and records them.
    let configuration: NetworkConfiguration
    /// The progress of a transfer, shown on the step's line.
    let bar: ProgressBar
}

/// Why the tour or one of its steps failed.
struct TourFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Throws a failure unless a condition holds.
    static func check(_ condition: Bool, _ claim: @autoclosure () -> String) throws(TourFailure) {
        if !condition { throw TourFailure(claim()) }
    }
}
