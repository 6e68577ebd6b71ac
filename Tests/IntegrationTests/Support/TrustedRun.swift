import Foundation
import TestSupport

/// Tests in a process of their own, where the system's bundle of certificates holds one authority: that of a front.
///
/// URLSession on Linux reads that bundle and no other (`linux.md` 7), so it is exchanged in a mount namespace, which
/// nobody else sees.
enum TrustedRun {
    private static let variable = "NETWORKENGINE_TLS_PORTS"

    /// The front's ports, in the process where its authority is trusted; `nil` in every other.
    static var ports: TLSPorts? {
        ProcessInfo.processInfo.environment[variable].map { text in
            _ = keepOpenSSL
            return TLSPorts(text)
        }
    }

    /// Has OpenSSL free nothing when the process ends. URLSession closes its connections on a thread of its own, possibly
    /// while the process ends, and would use what is free by then.
    private static let keepOpenSSL: Void = {
        typealias Start = @convention(c) (UInt64, UnsafeRawPointer?) -> Int32
        let withoutExitHandler: UInt64 = 0x0008_0000
        guard let library = dlopen("libcrypto.so.3", RTLD_NOW), let start = dlsym(library, "OPENSSL_init_crypto") else {
            return
        }
        _ = unsafeBitCast(start, to: Start.self)(withoutExitHandler, nil)
    }()

    /// Whether this machine lets us make namespaces.
    static func isPossible() async throws -> Bool {
        guard TLSFront.isPossible, Program.path(of: "unshare") != nil else { return false }
        return try await Program.run("unshare", ["-rm", "true"]).status == 0
    }

    /// Runs a suite of one test again, where a front's authority is trusted.
    ///
    /// - Parameter environment: variables that the run has besides those of this one.
    /// - Returns: what was printed by a run that failed.
    static func failure(
        of suite: String,
        trusting front: TLSFront,
        environment: [String: String] = [:]
    ) async throws -> String? {
        let script = #"mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && shift && exec "$@""#
        let tests = [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", suite]
        let (status, output) = try await Program.run(
            "unshare",
            ["-rm", "sh", "-c", script, "sh", front.authority.path] + tests,
            environment: environment.merging([variable: front.ports.text]) { $1 }
        )
        // A filter that fits nothing is no success.
        return status == 0 && output.contains("with 1 test in 1 suite passed") ? nil : "status \(status)\n\(output)"
    }
}
