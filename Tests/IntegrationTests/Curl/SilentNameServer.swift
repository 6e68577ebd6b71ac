#if os(Linux)
import Dispatch
import Foundation
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A name server that receives queries but never answers, in a separate network namespace.
///
/// The test runs again in a process with a `resolv.conf` that contains the server and a timeout of half a minute.
final class SilentNameServer: Sendable {
    struct Failed: Error {}

    private static let variable = "NETWORKENGINE_SILENT_NAMES"
    private static let address = "127.0.0.53"
    private static let script = """
        printf 'nameserver \(address)\\noptions timeout:30 attempts:1\\n' > "$1"
        mount --bind "$1" /etc/resolv.conf && ip link set lo up && shift && exec "$@"
        """

    /// Whether this process has that network.
    static var isInside: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// Whether this machine allows us to create networks.
    static func isPossible() async throws -> Bool {
        if isInside { return true }
        guard Program.path(of: "unshare") != nil, Program.path(of: "ip") != nil else { return false }
        return try await Program.run("unshare", ["-rmn", "ip", "link", "set", "lo", "up"]).status == 0
    }

    /// Runs a suite with a single test again, in that network.
    ///
    /// - Returns: the output of a failed run.
    static func failure(of suite: String) async throws -> String? {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("resolv.conf").path
        return try await Program.failure(
            of: suite, under: ["unshare", "-rmn", "sh", "-c", script, "sh", file], environment: [variable: "1"])
    }

    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(53).bigEndian
        inet_pton(AF_INET, Self.address, &name.sin_addr)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeBytes(of: &name) { bytes in
            bind(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
        }
        guard code == 0 else { throw Failed() }
    }

    deinit { close(descriptor) }

    /// Waits for a query.
    func query() async {
        await withCheckedContinuation { asked in
            DispatchQueue.global().async { [descriptor] in
                var buffer = [UInt8](repeating: 0, count: 512)
                _ = recv(descriptor, &buffer, buffer.count, 0)
                asked.resume()
            }
        }
    }
}
#endif
