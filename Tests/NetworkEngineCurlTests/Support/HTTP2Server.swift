import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// Runs `h2-server.py` in this folder: HTTP/2 and HTTP/1.1 over TLS, with faults.
final class HTTP2Server {
    let url: URL
    private let process: ChildProcess

    /// - Parameter protocols: The protocols of the first connections; the last one applies to all others.
    init(_ certificates: Certificates, protocols: [String] = ["h2"]) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("h2-server.py")
        let files = [certificates.certificate(.good).path, certificates.key(.good).path]
        process = try ChildProcess(Program.python, [script.path] + files + protocols, discardsErrors: true)
        url = try #require(URL(string: "https://localhost:\(process.readPort())/"))
    }

    /// Releases the response to `/hold`.
    func release() { process.write("go\n") }

    func request(_ path: String, mark: String = "", method: HTTPMethod = .get) -> HTTPRequest {
        HTTPRequest(method: method, url: url.appendingPathComponent(path), headers: ["X-Mark": mark])
    }

    /// Whether `.ci/run` has installed the Python environment.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: Program.python)
}

extension Trait where Self == ConditionTrait {
    /// Disables a suite where the HTTP/2 server or openssl is not installed.
    static var needsHTTP2Server: Self {
        .enabled(
            if: HTTP2Server.isInstalled && Certificates.shared != nil,
            "there is no h2 for Python in .build/python, or no openssl to make its certificate with"
        )
    }
}
