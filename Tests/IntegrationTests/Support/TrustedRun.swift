import Foundation
import TestSupport

/// Runs a test in a separate process, where the system's certificate bundle contains only a `TLSFront`'s authority.
///
/// URLSession on Linux doesn't read any other bundle, so a mount namespace replaces it for this process only.
enum TrustedRun {
    private static let variable = "NETWORKENGINE_TLS_PORTS"

    /// The front's ports, in the process that trusts its CA; `nil` elsewhere.
    static var ports: TLSPorts? {
        ProcessInfo.processInfo.environment[variable].map { text in
            _ = keepOpenSSL
            return TLSPorts(text)
        }
    }

    /// Prevents OpenSSL from freeing its memory when the process exits, because URLSession may still be closing
    /// connections on another thread.
    private static let keepOpenSSL: Void = {
        typealias Start = @convention(c) (UInt64, UnsafeRawPointer?) -> Int32
        let withoutExitHandler: UInt64 = 0x0008_0000
        guard let library = dlopen("libcrypto.so.3", RTLD_NOW), let start = dlsym(library, "OPENSSL_init_crypto") else {
            return
        }
        _ = unsafeBitCast(start, to: Start.self)(withoutExitHandler, nil)
    }()

    /// Whether this process may create namespaces.
    static func isPossible() async throws -> Bool {
        guard TLSFront.isPossible, Program.path(of: "unshare") != nil else { return false }
        return try await Program.run("unshare", ["-rm", "true"]).status == 0
    }

    /// Runs a suite with a single test again, with a `TLSFront`'s CA trusted.
    ///
    /// - Parameter environment: Additional variables for the run.
    /// - Returns: The output of a failed run.
    static func failure(
        of suite: String,
        trusting front: TLSFront,
        environment: [String: String] = [:]
    ) async throws -> String? {
        let script = #"mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && shift && exec "$@""#
        return try await Program.failure(
            of: suite,
            under: ["unshare", "-rm", "sh", "-c", script, "sh", front.authority.path],
            environment: environment.merging([variable: front.ports.text]) { $1 }
        )
    }
}
