#if os(Linux)
import Foundation
import TestSupport

/// Runs a test in a separate process and mount namespace with an empty CA certificates folder.
enum EmptyFolderRun {
    private static let variable = "NETWORKENGINE_NO_AUTHORITIES"
    private static let mount = "mount -t tmpfs none /etc/ssl/certs"

    /// Whether this is that process.
    static var isInside: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Whether this process may create mount namespaces.
    static func isPossible() async throws -> Bool {
        if isInside { return true }
        guard Program.path(of: "unshare") != nil else { return false }
        return try await Program.run("unshare", ["-rm", "sh", "-c", mount]).status == 0
    }

    /// Runs a suite with a single test again there.
    ///
    /// - Returns: The output of a failed run.
    static func failure(of suite: String) async throws -> String? {
        try await Program.failure(
            of: suite, under: ["unshare", "-rm", "sh", "-c", mount + #" && exec "$@""#, "sh"],
            environment: [variable: "1"])
    }
}
#endif
