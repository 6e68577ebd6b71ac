import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

/// Runs `h3-server.py` in this folder: HTTP/3, and HTTP/1.1 over TLS on the same port.
final class HTTP3Server {
    let url: URL
    private let process: ChildProcess

    init(
        _ certificates: Certificates,
        _ name: Certificates.Name = .good,
        protocols: [String] = ["tcp", "quic"]
    ) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("h3-server.py")
        let files = [certificates.certificate(name).path, certificates.key(name).path]
        process = try ChildProcess(Program.python, [script.path] + files + protocols, discardsErrors: true)
        url = try #require(URL(string: "https://localhost:\(process.readPort())/"))
    }

    /// Releases the responses to `/hold`.
    func release() { process.write("go\n") }

    func request(
        _ path: String,
        mark: String = "",
        method: HTTPMethod = .get,
        body: RequestBody = .absent
    ) -> HTTPRequest {
        HTTPRequest(method: method, url: url.appendingPathComponent(path), headers: ["X-Mark": mark], body: body)
    }

    /// Whether `.ci/run` has installed the Python environment, and this process's libcurl supports HTTP/3.
    static let isUsable: Bool = {
        var configuration = CurlConfiguration()
        configuration.assumesHTTP3Capable = true
        guard FileManager.default.isExecutableFile(atPath: Program.python), let certificates = Certificates.shared
        else {
            return false
        }
        // A libcurl from another system may look for the CA certificates in the wrong place.
        configuration.tls.authorities = .file(certificates.authority)
        return (try? CurlTransport(configuration: configuration).validate()) != nil
    }()
}

extension Trait where Self == ConditionTrait {
    /// Disables a suite where HTTP/3 isn't available.
    static var needsHTTP3: Self {
        .enabled(
            if: HTTP3Server.isUsable,
            "there is no aioquic in .build/python, no openssl, or this libcurl was built without HTTP/3"
        )
    }
}
