import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
/// A server that supports only TLS 1.1 and earlier, with an OpenSSL configuration that would permit it.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled("python3, openssl or namespaces are missing") { try await TrustedRun.isPossible() }
)
struct OldTLSTests {
    private static let authority = "NETWORKENGINE_TLS_AUTHORITY"
    private static let configuration = """
        openssl_conf = here
        [here]
        ssl_conf = ssl
        [ssl]
        system_default = lenient
        [lenient]
        MinProtocol = TLSv1
        CipherString = DEFAULT@SECLEVEL=0
        """

    @Test func `CurlTransport asks for TLS 1-2 at least, and URLSession leaves it to the system`() async throws {
        guard let ports = TrustedRun.ports else {
            let front = try await TLSFront.start([.good, .ancientVersion])
            let folder = try TemporaryFolder()
            let file = try folder.file("openssl.cnf", Self.configuration)
            let failure = try await TrustedRun.failure(
                of: "OldTLSTests",
                trusting: front,
                environment: ["OPENSSL_CONF": file.path, Self.authority: front.authority.path]
            )
            return #expect(failure == nil, "\(failure ?? "")")
        }
        let request = HTTPRequest(url: try ports.url(.ancientVersion))
        var configuration = CurlConfiguration()
        let authority = try #require(ProcessInfo.processInfo.environment[Self.authority])
        configuration.tls.authorities = .file(URL(fileURLWithPath: authority))
        let transport = CurlTransport(configuration: configuration)
        defer { transport.shutdown() }
        _ = try await transport.send(HTTPRequest(url: ports.url(.good)), context: TransportContext())
        let error = await #expect(throws: NetworkError.self) {
            try await transport.send(request, context: TransportContext())
        }
        #expect(error?.transportFailure == .tls, "\(String(describing: error))")
        // Since 8.16, libcurl requests TLS 1.2 by default.
        guard try CurlLibrary.shared.get().number < 0x08_10_00 else { return }
        #expect(try await withTransport { try await $0.send(request).text } == "TLSv1.1 nobody")
    }
}
#endif
