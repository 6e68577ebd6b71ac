import Foundation
import NetworkEngine
import NetworkEngineCache
import NetworkEngineTesting
import TestSupport
import Testing

/// The samples of “Caching”.
@Suite(.timeLimit(.minutes(5))) struct CachingTests {
    private func configuration(_ mock: MockTransport) -> NetworkConfiguration {
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return configuration
    }

    private let fresh = MockAnswer.json(#"[{"id": 7, "name": "Ada"}]"#, headers: ["Cache-Control": "max-age=60"])

    @Test func `a cache is kept in memory or in a folder`() async throws {
        let place = try TemporaryFolder()
        let folder = place.url
        defer { withExtendedLifetime(place) {} }
        let mock = MockTransport(fresh)
        var configuration = configuration(mock)
        // sample
        configuration.cache = ResponseCache()  // 64 MiB in memory
        configuration.cache = ResponseCache(store: try DiskCacheStore(folder: folder, limit: 256 << 20))
        // end
        let client = HTTPClient(baseURL: api, configuration: configuration)
        for _ in 1...2 { let _: [User] = try await client.request(.get("/users")) }
        #expect(mock.requests.count == 1)
    }

    @Test func `a response says where it came from`() async throws {
        var configuration = configuration(MockTransport(fresh))
        configuration.cache = ResponseCache()
        let client = HTTPClient(baseURL: api, configuration: configuration)
        var shown = ""
        func show(_ text: String) { shown = text }
        for expected in ["sent by the server", "stored"] {
            // sample
            let response = try await client.send(.get("/users"))
            switch response.source {
            case .network: show("sent by the server")
            case .cache: show("stored")
            case .revalidated: show("stored, and confirmed by the server")
            }
            // end
            #expect(shown == expected)
        }
    }

    @Test func `a policy is for one call`() async throws {
        let mock = MockTransport(fresh, fresh)
        var configuration = configuration(mock)
        configuration.cache = ResponseCache()
        let client = HTTPClient(baseURL: api, configuration: configuration)
        let _: [User] = try await client.request(.get("/users"))
        // sample
        var users = Endpoint.get("/users")
        users.cachePolicy = .reload  // pull to refresh
        let fresh: [User] = try await client.request(users)
        users.cachePolicy = .cacheOnly  // without a network
        let stored: [User] = try await client.request(users)
        // end
        #expect(fresh == stored && mock.requests.count == 2)
    }

    @Test func `the app says what tells users apart`() async throws {
        let mock = MockTransport(fresh, fresh)
        var configuration = configuration(mock)
        // sample
        configuration.cache = ResponseCache(sharedFields: ["X-App-Version"], sharedCookies: ["_ga"])
        configuration.cache = ResponseCache { request in request.headers["X-User"] }
        // end
        let client = HTTPClient(baseURL: api, configuration: configuration)
        for (user, count) in [("ada", 1), ("ada", 1), ("bob", 2)] {
            let _: [User] = try await client.request(.get("/users", headers: ["X-User": user]))
            #expect(mock.requests.count == count)
        }
    }

    @Test func `everything is removed at a sign-out`() async throws {
        let mock = MockTransport(fresh)
        var configuration = configuration(mock)
        let cache = ResponseCache()
        configuration.cache = cache
        let client = HTTPClient(baseURL: api, configuration: configuration)
        var users = Endpoint.get("/users")
        let _: [User] = try await client.request(users)
        // sample
        await cache.removeAll()
        // end
        users.cachePolicy = .cacheOnly
        let removed = users
        let error = await #expect(throws: NetworkError.self) { try await client.send(removed) }
        #expect(error?.statusCode == 504 && error?.underlying is CacheMiss)
    }
}
