import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSessionKnownLimits {
    /// Connections and proxies: the platform doesn't offer a choice.
    static let onConnections = [
        Limit("Limits of requests", "an IPv6 address is not accepted as a host") {
            var configuration = LoopbackConfiguration()
            configuration.address = .ipv6
            let server = try LoopbackServer(configuration) { _ in .text("ok") }
            let error = try await withTransport { try await $0.failure(of: server.request()) }
            let raw = await RawSession.outcome(of: URLRequest(url: server.url)).error as? URLError
            return raw?.code == .badURL && error.kind == .unsupported && error.reason.contains("CurlTransport")
        },
        Limit("TLS and proxies", "a proxy in the configuration is ignored") {
            let server = try LoopbackServer { _ in .text("ok") }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": 1]
            let outcome = await RawSession.outcome(of: URLRequest(url: server.url), configuration)
            return outcome.error == nil && server.record.requestCount == 1
        },
        Limit("Errors", "a reset in the handshake looks like one after it") {
            let server = try LoopbackServer()
            server.enqueue(.fault(.reset, at: .requestStart))
            let url = try server.tlsURL
            let error = try await withTransport { try await $0.failure(of: HTTPRequest(url: url)) }
            return error.transportFailure == .lostBeforeResponse
        },
    ]

    /// The same for tests that need a server with certificates.
    static let onTLS = [
        Limit("TLS and proxies", "the delegate is not asked whether to trust a server") {
            let front = try await TLSFront.start([.selfSigned])
            let outcome = await RawSession.outcome(of: URLRequest(url: try front.ports.url(.selfSigned)))
            return outcome.error != nil && !outcome.isChallenged
        }
    ]
}
#endif
