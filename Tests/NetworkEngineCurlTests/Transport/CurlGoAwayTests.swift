import Foundation
import NetworkEngine
import NetworkEngineCurl
import Testing

/// A connection that its server leaves before it has processed a request. libcurl 7.88 reports that with a code and no
/// words, newer ones make the request again themselves where that is allowed.
@Suite(
    .timeLimit(.minutes(5)), .needsCurl, .enabled(if: GoAwayServer.isPossible, "python3 or openssl is not installed"))
struct CurlGoAwayTests {
    private let certificates: Certificates

    init() throws { certificates = try #require(Certificates.shared) }

    private func answer(_ method: HTTPMethod, _ interceptors: [any RequestInterceptor], closes: Bool) async throws
        -> String
    {
        let server = try GoAwayServer(refusals: 1, closes: closes, certificates)
        defer { withExtendedLifetime(server) {} }
        return try await withTransport({ $0.tls.authorities = .file(certificates.authority) }) { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let client = HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
            let bytes = try await client.request(
                Endpoint(path: "/", method: method, body: method == .get ? nil : Data("a".utf8)))
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(arguments: [true, false]) func `a request that may happen twice is made again`(closes: Bool) async throws {
        #expect(try await answer(.get, [RetryPolicy()], closes: closes) == "1")
        #expect(try await answer(.post, [RetryPolicy(), IdempotencyKey()], closes: closes) == "1")
    }

    @Test(arguments: [true, false]) func `another is made at most once, and fails as a connection does`(closes: Bool)
        async throws
    {
        do {
            #expect(try await answer(.post, [RetryPolicy()], closes: closes) == "1")
        } catch let error as NetworkError {
            #expect(error.kind == .connection, "\(error)")
        }
    }
}
