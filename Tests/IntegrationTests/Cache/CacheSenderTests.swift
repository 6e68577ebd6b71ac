import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// Two users that share a cache, and one user with changing credentials.
@Suite(.timeLimit(.minutes(5))) struct CacheSenderTests {
    /// Where a user's credential is sent.
    enum Place: CaseIterable { case endpoint, configuration, interceptor, secretName, setCredential }

    private struct Key: RequestInterceptor {
        let user: String
        let isMarked: Bool

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            if isMarked {
                request.setCredential(user, for: "X-Session")
            } else {
                request.headers["X-Session"] = user
            }
            return request
        }
    }

    /// A server that answers with the request's user, and allows caching for ten minutes.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            let names = ["X-Session", "X-Auth-Token", "X-API-Key", "Accept-User"]
            let user = names.lazy.compactMap { request.headers[$0] }.first ?? request.headers["Authorization"] ?? "none"
            return .text(user, headers: ["Cache-Control": "max-age=86400", "ETag": "\"1\""])
        }
    }

    private func text(
        of user: String,
        in place: Place,
        _ server: LoopbackServer,
        _ configuration: NetworkConfiguration
    ) async throws -> HTTPResponse {
        var (configuration, interceptors, headers) = (configuration, [any RequestInterceptor](), HTTPHeaders())
        switch place {
        case .endpoint: headers["X-Auth-Token"] = user
        case .configuration: configuration.headers["X-API-Key"] = user
        case .interceptor: interceptors = [Key(user: user, isMarked: false)]
        case .setCredential: interceptors = [Key(user: user, isMarked: true)]
        case .secretName:
            headers["Accept-User"] = user
            configuration.secretNames = ["Accept-User"]
        }
        let client = HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
        return try await client.send(.get("/me", headers: headers))
    }

    @Test(arguments: Place.allCases, Wire.distinct)
    func `no user gets the response of another`(place: Place, wire: Wire) async throws {
        let server = try server()
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.cache) = (transport, ResponseCache())
            for (user, source) in [("alice", HTTPResponse.Source.network), ("bob", .network), ("alice", .cache)] {
                let response = try await text(of: user, in: place, server, configuration)
                #expect(response.text == user && response.source == source)
            }
        }
    }

    @Test(arguments: Wire.distinct) func `a refreshed token keeps the user's responses, and a new user has none`(
        wire: Wire
    ) async throws {
        let server = try server()
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            (configuration.transport, configuration.cache) = (transport, ResponseCache())
            let number = Locked(1)
            let store = InMemoryCredentialStore(BearerToken("a1", expiresAt: .distantFuture))
            let refresher = TokenRefresher(store: store) { _, _ in
                BearerToken("a\(number.withLock { number in number += 1; return number })", expiresAt: .distantFuture)
            }
            let client = HTTPClient(baseURL: server.url, interceptors: [refresher], configuration: configuration)
            #expect(try await client.send(.get("/me")).text == "Bearer a1")
            try await refreshed(client, server)
            #expect(store.current?.accessToken == "a2")
            let again = try await client.send(.get("/me"))
            #expect(again.text == "Bearer a1" && again.source == .cache)
            try await refresher.signOut()
            try await refresher.signIn(BearerToken("b1"))
            let other = try await client.send(.get("/me"))
            #expect(other.text == "Bearer b1" && other.source == .network)
            try await refresher.signIn(BearerToken("c1"))
            #expect(try await client.send(.get("/me")).text == "Bearer c1")
        }
    }

    /// Rejects the current token once.
    private func refreshed(_ client: HTTPClient, _ server: LoopbackServer) async throws {
        server.enqueue(.status(401))
        _ = try await client.send(.get("/other"))
    }

    @Test func `the app names the user, and the fields and cookies that say nothing about the user`() async throws {
        let server = try server()
        var configuration = NetworkConfiguration()
        configuration.cache = ResponseCache(sharedFields: ["X-Version"], sharedCookies: ["_ga"])
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        let first: HTTPHeaders = ["X-Version": "1", "Cookie": "sid=7; _ga=1"]
        #expect(try await client.send(.get("/a", headers: first)).source == .network)
        let second: HTTPHeaders = ["X-Version": "2", "Cookie": "_ga=2; sid=7"]
        #expect(try await client.send(.get("/a", headers: second)).source == .cache)
        let third: HTTPHeaders = ["X-Version": "2", "Cookie": "sid=8; _ga=1"]
        #expect(try await client.send(.get("/a", headers: third)).source == .network)

        let user = Locked("ada")
        configuration.cache = ResponseCache { _ in user.withLock { $0 } }
        let named = HTTPClient(baseURL: server.url, configuration: configuration)
        #expect(try await named.send(.get("/a", headers: ["Cookie": "sid=1"])).source == .network)
        #expect(try await named.send(.get("/a", headers: ["Cookie": "sid=2"])).source == .cache)
        user.withLock { $0 = "bob" }
        #expect(try await named.send(.get("/a", headers: ["Cookie": "sid=2"])).source == .network)
    }
}
