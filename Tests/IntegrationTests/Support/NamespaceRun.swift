#if os(Linux)
import Foundation
import TestSupport

/// Runs a test in a separate process and network namespace, with two connected interfaces that are both down.
enum NamespaceRun {
    private static let variable = "NETWORKENGINE_NAMESPACE"
    /// Creates two connected interfaces, which carry no traffic while either is down.
    private static let wire = "ip link add wire0 type veth peer name wire1"

    /// Whether this is that process.
    static var isInside: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Whether this process may create network namespaces.
    static func isPossible() async throws -> Bool {
        if isInside { return true }
        guard Program.path(of: "unshare") != nil, Program.path(of: "ip") != nil else { return false }
        return try await Program.run("unshare", ["-rn", "sh", "-c", wire]).status == 0
    }

    /// Runs a suite with a single test again, in a new network namespace.
    ///
    /// - Returns: The output of a failed run.
    static func failure(of suite: String) async throws -> String? {
        try await Program.failure(
            of: suite, under: ["unshare", "-rn", "sh", "-c", wire + #" && exec "$@""#, "sh"],
            environment: [variable: "1"])
    }

    /// Runs `ip` in this process's network.
    static func ip(_ words: String) async throws {
        let (status, output) = try await Program.run("ip", words.split(separator: " ").map(String.init))
        guard status == 0 else { throw Failure(output: output) }
    }

    struct Failure: Error { let output: String }
}
#endif
