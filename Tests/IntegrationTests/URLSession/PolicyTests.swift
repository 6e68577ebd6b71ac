import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking

@Suite(.timeLimit(.minutes(5))) struct URLSessionPolicyTests {
    static let policies: [(String, @Sendable (inout TLSPolicy) -> Void)] = [
        ("authorities", { $0.authorities = .pem(Data()) }),
        ("pins", { $0.pins = ["127.0.0.1": []] }),
        ("clientCertificate", { $0.clientCertificate = .pkcs12(URL(filePath: "/nowhere")) }),
        ("minimumVersion", { $0.minimumVersion = .v1_3 }),
        ("hostVerification", { $0.hostVerification = .dangerouslyDisabled }),
    ]

    @Test(arguments: policies)
    func `a TLS policy beyond the standard fails before I/O and names CurlTransport`(
        name: String,
        change: @Sendable (inout TLSPolicy) -> Void
    ) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        var policy = TLSPolicy()
        change(&policy)
        let transport = URLSessionTransport(tls: policy)
        let error = try await transport.failure(of: server.request())
        #expect(error.kind == .unsupported)
        #expect(error.reason.contains("TLSPolicy.\(name)") && error.reason.contains("CurlTransport"))
        #expect(throws: NetworkError.self) { try transport.validate() }
        #expect(server.record.acceptedConnections == 0)
    }

    @Test(arguments: [ProxyPolicy.direct, .url(URL(filePath: "/"))])
    func `a proxy policy fails before I/O and names CurlTransport`(proxy: ProxyPolicy) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let transport = URLSessionTransport(proxy: proxy)
        let error = try await transport.failure(of: server.request())
        #expect(error.kind == .unsupported && error.reason.contains("CurlTransport"))
        #expect(server.record.acceptedConnections == 0)
    }

    @Test func `a proxy in the session configuration fails before I/O`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = ["HTTPEnable": 1]
        let transport = URLSessionTransport(configuration: configuration)
        let error = try #require(throws: NetworkError.self) { try transport.validate() }
        #expect(error.kind == .unsupported && error.reason.contains("CurlTransport"))
    }

    @Test func `the standard policies are accepted`() throws {
        try URLSessionTransport(tls: .standard, proxy: .environment).validate()
        try URLSessionTransport().validate()
    }
}
#endif
