import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineDigest
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// A server's proof that it has the password belongs to one exchange; a stored or shared response is for several.
@Suite(.timeLimit(.minutes(5))) struct DigestSharingTests {
    private let authority: DigestAuthority
    private let mock: MockTransport

    init() {
        var options = DigestAuthority.Options()
        (options.proves, options.sendsNextNonce) = (true, true)
        let authority = DigestAuthority(options)
        self.authority = authority
        mock = MockTransport(
            .handler { request in
                let (status, headers) = authority.decide(
                    method: request.method, target: request.requestTarget,
                    authorization: request.headers["Authorization"])
                guard status == 200 else { return .status(status, headers: headers) }
                var fields = headers
                fields["ETag"] = "\"1\""
                fields["Cache-Control"] = request.url.path == "/fresh" ? "private, max-age=60" : "private, max-age=0"
                return .status(request.headers.contains("If-None-Match") ? 304 : 200, headers: fields, body: "ok")
            }.repeating())
    }

    private func client(
        _ others: [any RequestInterceptor] = [], _ cache: ResponseCache? = ResponseCache()
    ) throws -> HTTPClient {
        HTTPClient(mock, others + [DigestAuth(username: "ada", password: "pa ss")], base: try "https://a.test".url) {
            $0.cache = cache
        }
    }

    @Test(arguments: ["/fresh", "/stale"])
    func `a proof is checked for the exchange that it belongs to, and not for a stored response`(
        path: String
    ) async throws {
        let client = try client()
        for source in [HTTPResponse.Source.network, path == "/fresh" ? .cache : .revalidated] {
            let response = try await client.send(.get(path))
            #expect(response.source == source && response.text == "ok")
        }
        #expect(authority.findings.challenges == 1 && authority.findings.stale == 0)
    }

    @Test func `a wrong password gets no stored response`() async throws {
        let cache = ResponseCache()
        _ = try await client([], cache).send(.get("/fresh"))
        let wrong = HTTPClient(
            mock, [DigestAuth(username: "ada", password: "pa s")], base: try "https://a.test".url
        ) { $0.cache = cache }
        let error = await #expect(throws: NetworkError.self) { try await wrong.send(.get("/fresh")) }
        #expect(error?.statusCode == 401)
    }

    @Test func `calls that share a validation or an exchange end with its response`() async throws {
        for others in [[], [Deduplication()]] as [[any RequestInterceptor]] {
            let client = try client(others)
            _ = try await client.send(.get("/stale"))
            try await rounds(20) { _ in
                let text = try await client.send(.get("/stale")).text
                #expect(text == "ok")
            }
        }
        let client = try client([Deduplication()], nil)
        _ = try await client.send(.get("/fresh"))
        try await rounds(20) { _ in
            let text = try await client.send(.get("/fresh")).text
            #expect(text == "ok")
        }
    }
}
