import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct InterceptorListTests {
    private static let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("t"))) { old, _ in old }
    private static let fallback = DefaultInterceptor(refreshToken: { true })
    private static let hedging = Hedging(after: .seconds(1))

    private static func basic(_ origins: URL...) -> BasicAuth {
        BasicAuth(username: "ada", password: "p", origins: origins)
    }

    private static func digest(_ origins: URL...) -> DigestAuth {
        DigestAuth(username: "ada", password: "p", origins: origins)
    }

    private static let api = API.base

    private func names(_ list: [any RequestInterceptor]) throws -> [String] {
        try list.validate()
        return list.map { String(describing: type(of: $0)).prefix { $0 != "<" }.description }
    }

    @Test func `the lists for apps and services are in order and valid`() throws {
        #expect(
            try names(.recommended(credential: Self.refresher)) == ["OfflinePolicy", "RetryPolicy", "TokenRefresher"])
        #expect(
            try names(.service(credential: Self.refresher)) == [
                "RetryPolicy", "TokenRefresher", "CircuitBreaker", "ConcurrencyLimit",
            ])
    }

    @Test(arguments: [
        MockAnswer.status(504), .status(500), .failure(.lostBeforeResponse), .failure(.timeout(.response)),
    ])
    func `no list repeats a POST that may have arrived, and both repeat a GET`(answer: MockAnswer) async throws {
        for list in [[any RequestInterceptor]].init([.recommended(), .service()]) {
            for (target, count) in [(TestTarget(method: .post), 1), (TestTarget(), 2)] {
                let mock = MockTransport(answer, .status(200))
                var configuration = NetworkConfiguration()
                let clock = TestClock()
                (configuration.transport, configuration.clock) = (mock, clock)
                let provider = NetworkProvider<TestTarget>(interceptors: list, configuration: configuration)
                let call = Task { try await provider.send(target) }
                if count > 1 { await clock.advanceToNextSleeper() }
                _ = await call.result
                #expect(mock.requests.count == count)
                #expect(mock.requests.allSatisfy { $0.headers["Idempotency-Key"] == nil })
            }
        }
    }

    @Test func `an app signs in while another endpoint fails`() async throws {
        let mock = MockTransport()
        mock.on(.get, "**/orders/:id").answers(.status(500).repeating())
        mock.on(.post, "**/login").answers(.status(204).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        for list in [[any RequestInterceptor]].init([
            .recommended(retry: RetryPolicy(attemptLimit: 1)),
            .service(retry: RetryPolicy(attemptLimit: 1), breaker: CircuitBreaker(minimumCalls: 2)),
        ]) {
            let client = HTTPClient(baseURL: API.base, interceptors: list, configuration: configuration)
            for id in 0..<30 {
                await #expect(throws: NetworkError.self) { try await client.send(.get("/orders/\(id)")) }
            }
            try await client.send(.post("/login").body(Data()))
        }
    }

    @Test func `a burst of 5,000 calls loses none`() async throws {
        let mock = MockTransport(MockAnswer.status(204).repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let client = HTTPClient(baseURL: API.base, interceptors: .recommended(), configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<5_000 { group.addTask { try await client.send(.get("/a/\(id)")) } }
            try await group.waitForAll()
        }
        #expect(mock.requests.count == 5_000)
    }

    @Test func `the network of the recommended list is scripted`() async throws {
        let network = ScriptedReachability(.offline)
        let mock = MockTransport(.failure(.offline), .status(204))
        let list: [any RequestInterceptor] = .recommended(
            offline: .waitForConnection(max: .seconds(60)), reachability: Reachability(network))
        let call = Task { try await NetworkProvider<TestTarget>(mock, list).send(TestTarget()) }
        while mock.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        network.set(.online)
        _ = try await call.value
        #expect(mock.requests.count == 2)
    }

    @Test(
        arguments: [
            ([RetryPolicy(), hedging], "twice as many"),
            ([fallback, hedging], "RetryPolicy inside"),
            ([fallback, RetryPolicy()], "`retry:`"),
            ([RetryPolicy(), RetryPolicy()], "contains RetryPolicy more than once"),
            ([OfflinePolicy(), OfflinePolicy()], "contains OfflinePolicy more than once"),
            ([fallback, fallback], "contains DefaultInterceptor more than once"),
            ([refresher, refresher], "contains TokenRefresher more than once"),
            ([Deduplication(), Deduplication()], "contains Deduplication more than once"),
            ([hedging, hedging], "contains Hedging more than once"),
            ([CircuitBreaker(), CircuitBreaker()], "contains CircuitBreaker more than once"),
            ([fallback, refresher], "DefaultInterceptor and TokenRefresher"),
            ([CircuitBreaker(), RetryPolicy()], "CircuitBreaker precedes RetryPolicy"),
            ([RetryPolicy(), OfflinePolicy()], "used up"),
            ([hedging, IdempotencyKey()], "move it behind"),
            ([basic(), digest()], "BasicAuth and DigestAuth set the header authorization"),
            ([basic(api), basic(api)], "BasicAuth and BasicAuth set"),
            ([TokenSource { "t" }, digest()], "TokenSource and DigestAuth set"),
            ([DefaultInterceptor({ true }, token: { "t" }), basic()], "DefaultInterceptor and BasicAuth set"),
            ([refresher, basic()], "TokenRefresher and BasicAuth set"),
            ([APIKeyAuth(key: "k", in: .query("a")), TokenSource(.query("a")) { "t" }], "set the query item a"),
            ([BasicAuth(username: "a:b", password: "p")], "contains a colon"),
            ([DigestAuth(username: "a\n", password: "p")], "DigestAuth: the user name contains a control character"),
        ] as [([any RequestInterceptor], String)])
    func `conflicting interceptors are explained`(list: [any RequestInterceptor], words: String) {
        let error = #expect(throws: NetworkError.self) { try list.validate() }
        #expect(error?.kind == .unsupported)
        #expect(error?.reason.contains(words) == true)
    }

    @Test func `an app's interceptor with the name of a framework's is not taken for it`() throws {
        enum App { struct RetryPolicy: RequestInterceptor {} }
        try ([App.RetryPolicy(), Self.hedging, App.RetryPolicy()] as [any RequestInterceptor]).validate()
    }

    @Test func `compatible interceptors are accepted`() throws {
        try [any RequestInterceptor]().validate()
        try ([IdempotencyKey(), Self.hedging, Deduplication()] as [any RequestInterceptor]).validate()
        try ([Deduplication(), Self.refresher] as [any RequestInterceptor]).validate()
        try ([Self.fallback, CircuitBreaker(), RateLimit(10)] as [any RequestInterceptor]).validate()
    }

    @Test func `credentials for different origins or in different places are accepted`() throws {
        let other = try #require(URL(string: "https://other.test"))
        try ([Self.basic(Self.api), Self.digest(other), Self.refresher] as [any RequestInterceptor]).validate()
        try
            ([Self.basic(), APIKeyAuth(key: "k"), APIKeyAuth(key: "k", in: .query("X-API-Key"))]
            as [any RequestInterceptor]).validate()
    }

    @Test func `an unavailable transport is reported`() throws {
        struct Unusable: Transport {
            func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
                throw CancellationError()
            }
            func validate() throws(NetworkError) { throw NetworkError(kind: .unsupported, reason: "it is not there") }
        }
        let provider = NetworkProvider<TestTarget>(Unusable(), [])
        let error = #expect(throws: NetworkError.self) { try provider.validate() }
        #expect(error?.reason == "it is not there")
        try NetworkProvider<TestTarget>(MockTransport(), []).validate()
    }

    @Test func `the recommended list retries, refreshes and counts in one provider`() async throws {
        let mock = MockTransport(.status(503), .status(401), .status(200))
        let list: [any RequestInterceptor] = .recommended(
            credential: Self.refresher,
            retry: RetryPolicy(backoff: .constant(.zero))
        )
        _ = try await NetworkProvider<TestTarget>(mock, list).send(TestTarget())
        #expect(mock.requests.count == 3)
    }
}
