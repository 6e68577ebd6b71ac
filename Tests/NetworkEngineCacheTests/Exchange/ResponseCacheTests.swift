import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineCookies
@testable import NetworkEngineDigest
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// A cache in an engine, over a mock transport.
@Suite(.timeLimit(.minutes(5))) struct ResponseCacheTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=600", "ETag": "\"1\""]
    private static let stale: HTTPHeaders = ["Cache-Control": "max-age=0", "ETag": "\"1\""]

    private func client(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        cache: ResponseCache = ResponseCache(),
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) throws -> HTTPClient {
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cache) = (transport, cache)
        change(&configuration)
        return HTTPClient(baseURL: try "https://a.test".url, interceptors: interceptors, configuration: configuration)
    }

    private func endpoint(_ policy: CachePolicy, _ headers: HTTPHeaders = [:]) -> Endpoint {
        Endpoint(path: "/a", headers: headers).cachePolicy(policy)
    }

    @Test func `each policy decides on the use of stored responses`() async throws {
        let mock = MockTransport(.status(200, headers: Self.stale).repeating())
        let client = try client(mock)
        #expect(try await client.send(endpoint(.useProtocol)).source == .network)
        #expect(try await client.send(endpoint(.cacheFirst)).source == .cache)
        #expect(try await client.send(endpoint(.cacheOnly)).source == .cache)
        #expect(try await client.send(endpoint(.bypass)).source == .network)
        #expect(try await client.send(endpoint(.reload)).source == .network)
        #expect(mock.requests.count == 3)
    }

    @Test func `digest answers of one user get the user's responses, and those of another do not`() async throws {
        let mock = MockTransport(
            MockAnswer.handler { request in
                guard let answer = request.headers["Authorization"] else {
                    let challenge = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""
                    return .status(401, headers: ["WWW-Authenticate": challenge])
                }
                return .text(answer.contains("\"ada\"") ? "ada" : "bob", headers: Self.fresh)
            }.repeating())
        let cache = ResponseCache()
        let ada = try client(mock, [DigestAuth(username: "ada", password: "p")], cache: cache)
        let bob = try client(mock, [DigestAuth(username: "bob", password: "p")], cache: cache)
        let expected: [(HTTPClient, String, HTTPResponse.Source)] = [
            (ada, "ada", .network), (ada, "ada", .cache), (bob, "bob", .network), (ada, "ada", .cache),
        ]
        for (client, text, source) in expected {
            let response = try await client.send(.get("/a"))
            #expect(response.body.data == Data(text.utf8) && response.source == source)
        }
    }

    @Test(arguments: [false, true])
    func `a confirmation that must not be stored answers its caller, and nothing stays stored`(isOnDisk: Bool)
        async throws
    {
        let confirmation: HTTPHeaders = ["ETag": "\"1\"", "Cache-Control": "no-store", "X-Private": "1"]
        let mock = MockTransport(
            .text("old", headers: Self.stale), .status(304, headers: confirmation), .text("new", headers: Self.stale))
        let folder = try TemporaryFolder([:])
        let store: any CacheStore =
            isOnDisk ? try DiskCacheStore(folder: folder.url, limit: 1 << 20) : MemoryCacheStore(limit: 1 << 20)
        let client = try client(mock, cache: ResponseCache(store: store))
        _ = try await client.send(.get("/a"))
        let confirmed = try await client.send(.get("/a"))
        #expect(confirmed.body.data == Data("old".utf8) && confirmed.source == .revalidated)
        #expect(confirmed.headers["X-Private"] == "1")
        #expect(try await client.send(.get("/a")).body.data == Data("new".utf8))
        #expect(mock.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", nil])
    }

    @Test(arguments: ["no-store", "no-store, must-understand"])
    func `the response to HEAD removes the stored one if it must not be stored`(directives: String) async throws {
        let mock = MockTransport(
            .text("old", headers: Self.fresh), .status(200, headers: ["ETag": "\"1\"", "Cache-Control": directives]))
        let client = try client(mock)
        _ = try await client.send(.get("/a"))
        _ = try await client.send(Endpoint(path: "/a", method: .head, headers: ["Cache-Control": "no-cache"]))
        let stored = try? await client.send(endpoint(.cacheOnly))
        #expect((stored == nil) == (directives == "no-store"))
    }

    @Test(arguments: ["Accept-Language", "X-A, accept-language", "*"], [HTTPMethod.get, .head])
    func `a stored response is not used after an update whose Vary names further fields`(
        vary: String, method: HTTPMethod
    ) async throws {
        let update = Self.fresh.merging(["Vary": vary])
        let mock = MockTransport(
            .text("en", headers: Self.stale), .status(method == .get ? 304 : 200, headers: update),
            .text("de", headers: Self.fresh))
        let client = try client(mock)
        var texts: [String] = []
        for (method, language) in [(HTTPMethod.get, "en"), (method, "en"), (.get, "de")] {
            let headers: HTTPHeaders = ["Accept-Language": language]
            texts.append(try await client.send(Endpoint(path: "/a", method: method, headers: headers)).text)
        }
        #expect(texts == ["en", method == .get ? "en" : "", "de"])
    }

    @Test func `an update with the same Vary keeps the stored response`() async throws {
        let vary: HTTPHeaders = ["Vary": "Accept-Language"]
        let mock = MockTransport(
            .text("en", headers: Self.stale.merging(vary)), .status(304, headers: Self.fresh.merging(vary)))
        let client = try client(mock)
        var sources: [HTTPResponse.Source] = []
        for _ in 0..<3 {
            sources.append(try await client.send(.get("/a", headers: ["Accept-Language": "en"])).source)
        }
        #expect(sources == [.network, .revalidated, .cache])
    }

    @Test func `a target and a copy of it decide on the policy`() async throws {
        struct Page: TargetType {
            let baseURL: URL
            let path = "/a"
            let cachePolicy = CachePolicy.cacheOnly
        }
        let mock = MockTransport(.status(200))
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.cache) = (mock, ResponseCache())
        let page = Page(baseURL: try "https://a.test".url)
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider<Page>(configuration: configuration).data(page)
        }
        #expect(error?.statusCode == 504 && AnyTarget(page).cachePolicy == .cacheOnly && mock.requests.isEmpty)
    }

    @Test func `without a stored response a request that accepts nothing else gets a 504, and no retry`() async throws {
        let mock = MockTransport(.status(200))
        let client = try client(mock, [RetryPolicy(), CircuitBreaker()])
        for endpoint in [endpoint(.cacheOnly), endpoint(.useProtocol, ["Cache-Control": "only-if-cached"])] {
            let error = await #expect(throws: NetworkError.self) { try await client.send(endpoint) }
            #expect(error?.statusCode == 504 && error?.response?.source == .cache && error?.attempts.count == 1)
            #expect(error?.underlying is CacheMiss && error?.reason.contains("stored") == true)
        }
        #expect(mock.requests.isEmpty)
    }

    @Test func `an error of the server with the same status has another cause`() async throws {
        let client = try client(MockTransport(.status(504)))
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/a")) }
        #expect(error?.statusCode == 504 && error?.underlying == nil)
    }

    @Test func `an unreachable server is a failure of the connection if its response must be validated`() async throws {
        let stale: HTTPHeaders = ["Cache-Control": "max-age=0, must-revalidate", "ETag": "\"1\""]
        let mock = MockTransport(.status(200, headers: stale), .failure(.connect).repeating())
        let client = try client(mock)
        _ = try await client.send(.get("/a"))
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/a")) }
        #expect(error?.kind == .connection && error?.transportFailure == .connect && error?.response == nil)
    }

    @Test(arguments: [("If-Match", "\"2\""), ("If-Unmodified-Since", String.date())])
    func `a stored response is no answer to a request for other versions if the server cannot be reached`(
        name: String, value: String
    ) async throws {
        let client = try client(MockTransport(.text("a", headers: Self.stale), .failure(.connect)))
        _ = try await client.send(.get("/a"))
        let error = await #expect(throws: NetworkError.self) {
            try await client.send(.get("/a", headers: [name: value]))
        }
        #expect(error?.transportFailure == .connect)
    }

    @Test func `a cached response takes no permit and sets no cookie again`() async throws {
        let jar = CookieJar()
        var headers = Self.fresh
        headers["Set-Cookie"] = "a=1; Path=/other"
        let mock = MockTransport(.status(200, headers: headers))
        let client = try client(mock, [RateLimit(1, per: .seconds(3_600))]) { $0.cookies = jar }
        _ = try await client.send(.get("/a"))
        jar.removeAll()
        for _ in 0..<5 { #expect(try await client.send(.get("/a")).source == .cache) }
        #expect(jar.cookies(for: try "https://a.test/other".url).isEmpty)
    }

    @Test func `responses to other credentials and other cookies are not used`() async throws {
        let mock = MockTransport(.status(200, headers: Self.fresh).repeating())
        let client = try client(mock)
        for name in ["Authorization", "Cookie"] {
            for value in ["a=1", "b=2", "a=1"] { _ = try await client.send(.get("/a", headers: [name: value])) }
        }
        #expect(mock.requests.count == 4)
    }

    @Test func `a condition of the caller is answered from the cache`() async throws {
        let mock = MockTransport(.status(200, headers: Self.fresh, body: "a"))
        let client = try client(mock)
        _ = try await client.send(.get("/a"))
        var endpoint = TypedEndpoint(.get("/a", headers: ["If-None-Match": "\"1\""]), decoding: .response)
        endpoint.validation = .anyResponse
        let response = try await client.request(endpoint)
        #expect(response.statusCode == 304 && response.source == .cache && response.data.isEmpty)
    }

    @Test func `a response that an unsafe request overtook is not stored`() async throws {
        let (arrived, released) = (OneShot<Void>(), OneShot<Void>())
        let mock = MockTransport()
        mock.on(.get).answers(
            .handler { _ in
                arrived.settle(())
                try await released.wait()
                return .status(200, headers: Self.fresh)
            }, .status(200))
        mock.on(.put).answers(.status(204))
        let client = try client(mock)
        async let old = client.send(.get("/a"))
        try await arrived.wait()
        _ = try await client.send(.put("/a").body(Data()))
        released.settle(())
        _ = try await old
        #expect(try await client.send(.get("/a")).source == .network)
    }

    @Test(arguments: [false, true])
    func `after a removal nothing older is used, in any order of a validation and the removal`(
        isOnDisk: Bool
    ) async throws {
        try await rounds(100) { turn in
            let folder = try TemporaryFolder()
            let store: any CacheStore =
                isOnDisk ? try DiskCacheStore(folder: folder.url, limit: 1 << 20) : MemoryCacheStore(limit: 1 << 20)
            let version = Locked("old")
            let mock = MockTransport(
                MockAnswer.handler { request in
                    for _ in 0..<Int.random(in: 0...3) { await Task.yield() }
                    if request.headers.contains("If-None-Match") { return .status(304, headers: Self.stale) }
                    return .text(version.withLock { $0 }, headers: Self.stale)
                }.repeating())
            let cache = ResponseCache(store: store)
            let client = try client(mock, cache: cache) { $0.timeout = .seconds(86_400) }
            _ = try await client.send(.get("/a"))
            let validations = (0..<3).map { _ in Task { try await client.send(.get("/a")).text } }
            for _ in 0..<turn % 20 { await Task.yield() }
            version.withLock { $0 = "new" }
            await cache.removeAll()
            #expect(try await client.send(.get("/a")).text == "new")
            for validation in validations { _ = try await validation.value }
            #expect(try await client.send(endpoint(.cacheFirst)).text == "new")
        }
    }

    @Test func `a validation that hangs ends the requests that wait for it at their own timeout`() async throws {
        let clock = TestClock()
        let hang = OneShot<Void>()
        let isFirst = Locked(true)
        let mock = MockTransport(
            MockAnswer.handler { _ in
                if isFirst.withLock({ $0 }) {
                    return .status(200, headers: ["Cache-Control": "no-cache", "ETag": "\"1\""])
                }
                try await hang.wait()
                return .status(304)
            }.repeating())
        let client = try client(mock) { $0.clock = clock }
        _ = try await client.send(.get("/a"))
        isFirst.withLock { $0 = false }
        async let slow = client.send(.get("/a").timeout(.seconds(100)))
        while mock.requests.count < 2 { await Task.yield() }
        let waiting = Task { try await client.send(.get("/a").timeout(.seconds(1))) }
        await clock.advanceToNextSleeper(within: .seconds(1))
        let error = await #expect(throws: NetworkError.self) { try await waiting.value }
        #expect(error?.kind == .timeout && mock.requests.count == 2)
        hang.settle(())
        #expect(try await slow.source == .revalidated)
    }

    @Test func `a completed response counts for the limit of bodies in memory`() async throws {
        let headers: (String) -> HTTPHeaders = {
            ["Cache-Control": "max-age=600", "ETag": "\"1\"", "Content-Range": "bytes \($0)/1600"]
        }
        let bytes = String(repeating: "a", count: 800)
        let mock = MockTransport(
            .status(206, headers: headers("0-799"), body: bytes),
            .status(206, headers: headers("800-1599"), body: bytes))
        let client = try client(mock) { $0.limits.bodyInMemory = 1_000 }
        _ = try await client.send(.get("/a", headers: ["Range": "bytes=0-799"]))
        let error = await #expect(throws: NetworkError.self) { try await client.send(.get("/a")) }
        #expect(error?.kind == .limit)
    }

    @Test func `the origin's request to clear its data removes its responses`() async throws {
        let mock = MockTransport()
        mock.on(.get, "/logout").answers(.status(200, headers: ["Clear-Site-Data": "\"cache\""]))
        mock.on(.get, "/a").answers(.status(200, headers: Self.fresh).repeating())
        let client = try client(mock)
        for path in ["/a", "/logout", "/a"] { _ = try await client.send(.get(path)) }
        #expect(mock.requests.count == 3)
    }

    @Test func `a shared exchange is stored once, and hits need none`() async throws {
        let mock = MockTransport(.status(200, headers: Self.fresh).repeating())
        let client = try client(mock, [Deduplication(), ConcurrencyLimit()])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await client.send(.get("/a")) } }
            try await group.waitForAll()
        }
        let count = mock.requests.count
        #expect(try await client.send(.get("/a")).source == .cache && mock.requests.count == count)
    }

    @Test func `an emptied cache answers nothing`() async throws {
        let cache = ResponseCache()
        let mock = MockTransport(.status(200, headers: Self.fresh).repeating())
        let client = try client(mock, cache: cache)
        _ = try await client.send(.get("/a"))
        await cache.removeAll()
        #expect(try await client.send(.get("/a")).source == .network)
    }

    @Test func `a request with a body is neither answered nor stored`() async throws {
        let mock = MockTransport(.status(200, headers: Self.fresh).repeating())
        let client = try client(mock)
        for _ in 0..<2 { _ = try await client.send(Endpoint(path: "/a", body: Data("x".utf8))) }
        #expect(try await client.send(.get("/a")).source == .network)
    }
}
