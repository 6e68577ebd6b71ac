#if os(Linux)
import Foundation
import TestSupport

/// Tests in a process of their own that has a network of its own: two interfaces that are wired to each other, both down.
enum NamespaceRun {
    private static let variable = "NETWORKENGINE_NAMESPACE"
    /// The two ends of a wire, which carry nothing while one of them is down.
    private static let wire = "ip link add wire0 type veth peer name wire1"

    /// Whether this is that process.
    static var isInside: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Whether this machine lets us make networks.
    static func isPossible() async throws -> Bool {
        if isInside { return true }
        guard Program.path(of: "unshare") != nil, Program.path(of: "ip") != nil else { return false }
        return try await Program.run("unshare", ["-rn", "sh", "-c", wire]).status == 0
    }

    /// Runs a suite of one test again, in a network of its own.
    ///
    /// - Returns: what was printed by a run that failed.
    static func failure(of suite: String) async throws -> String? {
        let tests = [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", suite]
        let (status, output) = try await Program.run(
            "unshare",
            ["-rn", "sh", "-c", wire + #" && exec "$@""#, "sh"] + tests,
            environment: [variable: "1"]
        )
        // A filter that fits nothing is no success.
        return status == 0 && output.contains("with 1 test in 1 suite passed") ? nil : "status \(status)\n\(output)"
    }

    /// Has `ip` do something in the network of this process.
    static func ip(_ words: String) async throws {
        let (status, output) = try await Program.run("ip", words.split(separator: " ").map(String.init))
        guard status == 0 else { throw Failure(output: output) }
    }

    struct Failure: Error { let output: String }
}
#endif
