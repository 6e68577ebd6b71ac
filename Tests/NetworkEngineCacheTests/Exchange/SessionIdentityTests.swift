import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

/// The users of stored responses, with credentials that change during use.
@Suite(.timeLimit(.minutes(5))) struct SessionIdentityTests {
    private let cache = ResponseCache()

    /// A client of a server that answers with the credential, and rejects some credentials.
    private func client(
        _ interceptors: [any RequestInterceptor],
        rejecting rejected: @escaping @Sendable (String) -> Bool = { _ in false }
    ) throws -> HTTPClient {
        let mock = MockTransport()
        mock.on().answers(
            .handler { request in
                let token = request.headers["Authorization"] ?? ""
                return rejected(token)
                    ? .status(401)
                    : .text(token, headers: ["Cache-Control": "private, max-age=100", "Vary": "Authorization"])
            }.repeating())
        return HTTPClient(mock, interceptors, base: try "https://a.test".url) { $0.cache = cache }
    }

    @Test(arguments: [BearerToken("", expiresAt: .distantPast), BearerToken("guest")])
    func `users whose sessions begin with the same credential share no response`(first: BearerToken) async throws {
        for user in ["ada", "bob"] {
            let session = TokenRefresher(store: InMemoryCredentialStore(first)) { _, _ in BearerToken(user) }
            let client = try client([session]) { $0 == "Bearer guest" }
            for source in [HTTPResponse.Source.network, .cache] {
                let response = try await client.send(.get("/me"))
                #expect(response.text == "Bearer " + user && response.source == source)
            }
        }
    }

    @Test func `a user who follows another with the same first credential gets none of the responses`() async throws {
        let user = Locked("ada")
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("guest"))) { _, _ in
            BearerToken(user.withLock { $0 })
        }
        let client = try client([session]) { $0 == "Bearer guest" }
        #expect(try await client.send(.get("/me")).text == "Bearer ada")
        try await session.signOut()
        user.withLock { $0 = "bob" }
        try await session.signIn(BearerToken("guest"))
        #expect(try await client.send(.get("/me")).text == "Bearer bob")
    }

    @Test func `a credential that other code has stored begins a new user`() async throws {
        let isOver = Locked(false)
        let store = InMemoryCredentialStore(BearerToken("ada"))
        let session = TokenRefresher(store: store) { _, _ in throw RefreshFailure.sessionExpired }
        let client = try client([session]) { token in token == "Bearer ada" && isOver.withLock { $0 } }
        #expect(try await client.send(.get("/me")).text == "Bearer ada")
        isOver.withLock { $0 = true }
        _ = store.save(BearerToken("bob"), replacing: BearerToken("ada"))
        #expect(try await client.send(.get("/news")).text == "Bearer bob")
        #expect(try await client.send(.get("/me")).text == "Bearer bob")
    }

    @Test func `a refreshed credential has the responses of the first one of its session`() async throws {
        let isOver = Locked(false)
        let session = TokenRefresher(store: InMemoryCredentialStore(BearerToken("1"))) { old, _ in
            BearerToken(old.accessToken + "1")
        }
        let client = try client([session]) { token in token == "Bearer 1" && isOver.withLock { $0 } }
        #expect(try await client.send(.get("/a")).text == "Bearer 1")
        isOver.withLock { $0 = true }
        #expect(try await client.send(.get("/b")).text == "Bearer 11")
        for (path, text) in [("/a", "Bearer 1"), ("/b", "Bearer 11")] {
            let response = try await client.send(.get("\(raw: path)"))
            #expect(response.text == text && response.source == .cache)
        }
    }

    @Test func `a visitor without cookies takes no page away from a user with some, and gets none of theirs`()
        async throws
    {
        let mock = MockTransport()
        let control = Locked("max-age=100")
        mock.on().answers(
            .handler { request in
                let user = request.headers["Cookie"] ?? "nobody"
                return .text(user, headers: ["Cache-Control": control.withLock { $0 }, "Set-Cookie": "for=\(user)"])
            }.repeating())
        let client = HTTPClient(mock, [], base: try "https://a.test".url) { $0.cache = cache }
        func get(_ path: EndpointPath, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
            try await client.send(.get(path, headers: headers))
        }
        #expect(try await get("/a", ["Cookie": "ada"]).text == "ada")
        #expect(try await get("/a").headers["Set-Cookie"] == "for=nobody")
        let own = try await get("/a", ["Cookie": "ada"])
        #expect(own.text == "ada" && own.source == .cache && own.headers["Set-Cookie"] == "for=ada")
        let visitor = try await get("/a")
        #expect(visitor.source == .cache && !visitor.headers.contains("Set-Cookie"))
        control.withLock { $0 = "private, max-age=100" }
        #expect(try await get("/b").text == "nobody")
        #expect(try await get("/b", ["Cookie": "ada"]).text == "ada")
    }

    @Test func `a response that has become public is used in place of the older one of its sender`() async throws {
        let mock = MockTransport(
            .status(404, headers: ["Cache-Control": "max-age=0"]),
            .text("new", headers: ["Cache-Control": "public, max-age=600"]))
        let client = HTTPClient(mock, [], base: try "https://a.test".url) { $0.cache = cache }
        await #expect(throws: NetworkError.self) { try await client.send(.get("/a")) }
        for source in [HTTPResponse.Source.network, .cache, .cache] {
            let response = try await client.send(.get("/a"))
            #expect(response.text == "new" && response.source == source)
        }
    }

    @Test func `a response that has become private by a confirmation is not for requests with cookies`() async throws {
        let mock = MockTransport(
            .text("nobody", headers: ["Cache-Control": "max-age=0", "ETag": "\"1\""]),
            .status(304, headers: ["Cache-Control": "private, max-age=600", "ETag": "\"1\""]),
            .text("ada", headers: ["Cache-Control": "private, max-age=600"]))
        let client = HTTPClient(mock, [], base: try "https://a.test".url) { $0.cache = cache }
        for _ in 0..<2 { #expect(try await client.send(.get("/a")).text == "nobody") }
        #expect(try await client.send(.get("/a", headers: ["Cookie": "ada"])).text == "ada")
    }

    @Test func `a credential that the refresh itself has stored is that of the same user`() async throws {
        let isOver = Locked(false)
        let store = InMemoryCredentialStore(BearerToken("1"))
        let session = TokenRefresher(store: store) { old, _ in
            _ = store.save(BearerToken("2"), replacing: old)
            return BearerToken("2")
        }
        let client = try client([session]) { token in token == "Bearer 1" && isOver.withLock { $0 } }
        #expect(try await client.send(.get("/a")).text == "Bearer 1")
        isOver.withLock { $0 = true }
        #expect(try await client.send(.get("/b")).text == "Bearer 2")
        #expect(try await client.send(.get("/a")).source == .cache)
    }
}
