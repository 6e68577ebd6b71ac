import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineTesting

/// Authentication with an independent server, over every transport.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .enabled(if: HTTPBin.isInstalled, "httpbin is not installed: .ci/run installs it")
)
struct HTTPBinTests {
    private struct Answer: Decodable, Equatable, Sendable {
        var authenticated: Bool
        var user: String
    }

    private static let ada = Answer(authenticated: true, user: "ada")

    /// Counts a client's requests.
    private struct Tally: ExchangeInterceptor {
        let requests = Locked<[HTTPRequest]>([])
        var cookie: String?

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            requests.withLock { $0.append(request) }
            var request = request
            if let cookie { request.headers["Cookie"] = cookie }
            return request
        }

        var count: Int { requests.withLock { $0.count } }
    }

    private func client(
        _ server: HTTPBin,
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor]
    ) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.attemptLimit = 1
        return HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
    }

    private func digest(_ password: String = "open") -> DigestAuth { DigestAuth(username: "ada", password: password) }

    @Test(arguments: Wire.distinct) func `httpbin accepts Basic, and rejects a wrong password`(wire: Wire) async throws
    {
        let server = try await HTTPBin()
        try await wire.withTransport { transport in
            let basic = BasicAuth(username: "ada", password: "open", origins: [server.url])
            let answer: Answer = try await client(server, transport, [basic]).request(.get("/basic-auth/ada/open"))
            #expect(answer == Self.ada)
            let wrong = client(server, transport, [BasicAuth(username: "ada", password: "shut")])
            let error = await #expect(throws: NetworkError.self) { try await wrong.send(.get("/basic-auth/ada/open")) }
            #expect(error?.statusCode == 401)
        }
    }

    @Test(arguments: Wire.distinct, ["auth", "auth-int", "both"])
    func `httpbin accepts Digest, and later requests are not challenged`(wire: Wire, qop: String) async throws {
        let server = try await HTTPBin()
        for algorithm in ["MD5", "SHA-256"] {
            try await wire.withTransport { transport in
                let tally = Tally()
                let client = client(server, transport, [tally, digest()])
                for _ in 1...3 {
                    let answer: Answer = try await client.request(.get("/digest-auth/\(qop)/ada/open/\(algorithm)"))
                    #expect(answer == Self.ada)
                }
                #expect(tally.count == 4)
            }
        }
    }

    @Test(arguments: Wire.distinct) func `httpbin accepts the digest of a body`(wire: Wire) async throws {
        let server = try await HTTPBin()
        try await wire.withTransport { transport in
            for algorithm in ["MD5", "SHA-256"] {
                let client = client(server, transport, [digest()])
                let body = Data("ä body, \(algorithm)".utf8)
                for method in [HTTPMethod.post, .put] {
                    let endpoint = Endpoint(
                        path: "/digest-body/auth-int/ada/open/\(algorithm)", method: method, body: body)
                    let answer: Answer = try await client.request(endpoint)
                    #expect(answer == Self.ada)
                }
            }
        }
    }

    @Test(arguments: Wire.distinct) func `httpbin rejects a wrong password once`(wire: Wire) async throws {
        let server = try await HTTPBin()
        try await wire.withTransport { transport in
            let tally = Tally()
            let client = client(server, transport, [tally, digest("shut")])
            let error = await #expect(throws: NetworkError.self) {
                try await client.send(.get("/digest-auth/auth/ada/open/SHA-256"))
            }
            #expect(error?.statusCode == 401 && tally.count == 2)
        }
    }

    @Test(arguments: Wire.distinct) func `httpbin's stale nonces are answered, but not for ever`(wire: Wire)
        async throws
    {
        let server = try await HTTPBin()
        try await wire.withTransport { transport in
            let digest = digest()
            let endpoint = Endpoint.get("/digest-auth/auth/ada/open/MD5/1")
            let answer: Answer = try await client(server, transport, [digest]).request(endpoint)
            #expect(answer == Self.ada)
            // httpbin stores a nonce's state in cookies.
            let tally = Tally(cookie: "stale_after=0")
            let stale = client(server, transport, [digest, tally])
            let error = await #expect(throws: NetworkError.self) { try await stale.send(endpoint) }
            #expect(error?.statusCode == 401 && tally.count == 3)
            #expect(error?.response?.headers["WWW-Authenticate"]?.lowercased().contains("stale=true") == true)
        }
    }
}
