import Foundation
import NetworkEngine
import TestSupport
import Testing

/// `openssl s_server`, which answers every GET with a page.
final class TLSServer {
    let url: URL
    private let process: ChildProcess

    init(_ name: Certificates.Name, _ certificates: Certificates, arguments: [String] = []) throws {
        let files = ["-cert", certificates.certificate(name).path, "-key", certificates.key(name).path]
        process = try ChildProcess.server(
            "openssl", ["s_server", "-accept", "127.0.0.1:0", "-www"] + files + arguments)
        let text = process.read { $0.contains("ACCEPT 127.0.0.1:") && $0.hasSuffix("\n") }
        let parts = text.components(separatedBy: "ACCEPT 127.0.0.1:")
        guard parts.count > 1 else { throw ChildProcess.NotListening(output: text) }
        url = try #require(URL(string: "https://localhost:\(parts[parts.count - 1].prefix { $0.isNumber })/"))
    }
}
