package import Foundation

/// A test process with a 1 MiB disk.
package enum SmallDisk {
    private static let variable = "NETWORKENGINE_SMALL_DISK"

    package static func isPossible() async throws -> Bool {
        guard Program.path(of: "unshare") != nil else { return false }
        let script = "mount -t tmpfs -o size=1m none /tmp"
        return try await Program.run("unshare", ["-rm", "sh", "-c", script]).status == 0
    }

    /// The disk's folder; `nil` in a process without a disk.
    package static var folder: URL? {
        ProcessInfo.processInfo.environment[variable].map { URL(fileURLWithPath: $0) }
    }

    /// Runs a suite in a process with the disk. Returns the failures; `nil` if it passed.
    package static func failure(of suite: String) async throws -> String? {
        let folder = try TemporaryFolder()
        let script = #"mount -t tmpfs -o size=1m none "$1" && shift && exec "$@""#
        return try await Program.failure(
            of: suite, under: ["unshare", "-rm", "sh", "-c", script, "sh", folder.url.path],
            environment: [variable: folder.url.path])
    }
}
