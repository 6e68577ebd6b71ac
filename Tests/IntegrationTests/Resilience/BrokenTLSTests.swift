import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking

/// TLS that fails after the handshake, once the request has been sent.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled("python3, openssl or namespaces are missing") { try await TrustedRun.isPossible() }
)
struct BrokenTLSTests {
    private static let authority = "NETWORKENGINE_TLS_AUTHORITY"

    /// The attempts of a call that is retried whenever that is safe.
    private func attempts(_ method: HTTPMethod, _ url: URL, over transport: any Transport) async throws -> [Attempt] {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let policy = RetryPolicy(backoff: .constant(.zero))
        let client = HTTPClient(baseURL: url, interceptors: [policy], configuration: configuration)
        let endpoint = Endpoint(path: "/", method: method, body: Data("the whole body".utf8))
        let error = await #expect(throws: NetworkError.self) { try await client.send(endpoint) }
        return try #require(error).attempts
    }

    @Test func `a request whose response cannot be decrypted counts as possibly processed`() async throws {
        guard let ports = TrustedRun.ports else {
            let front = try await TLSFront.start([.brokenBeforeHead, .brokenInBody])
            let failure = try await TrustedRun.failure(
                of: "BrokenTLSTests",
                trusting: front,
                environment: [Self.authority: front.authority.path]
            )
            return #expect(failure == nil, "\(failure ?? "")")
        }
        var configuration = CurlConfiguration()
        let authority = try #require(ProcessInfo.processInfo.environment[Self.authority])
        configuration.tls.authorities = .file(URL(fileURLWithPath: authority))
        let curl = CurlTransport(configuration: configuration)
        let session = URLSessionTransport(configuration: .ephemeral)
        defer {
            curl.shutdown()
            session.shutdown()
        }
        let failures: [(TLSPorts.Port, TransportFailure)] = [
            (.brokenBeforeHead, .lostBeforeResponse), (.brokenInBody, .lostMidBody),
        ]
        for transport in [curl, session] as [any Transport] {
            for (port, failure) in failures {
                let posts = try await attempts(.post, ports.url(port), over: transport)
                #expect(posts.map(\.transportFailure) == [failure], "\(posts)")
                let puts = try await attempts(.put, ports.url(port), over: transport)
                #expect(puts.map(\.transportFailure) == [failure, failure, failure], "\(puts)")
            }
        }
    }
}
#endif
