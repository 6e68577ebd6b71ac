import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

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

    @Test func `the recommended list is in order and valid`() throws {
        let list: [any RequestInterceptor] = .recommended(credential: Self.refresher)
        try list.validate()
        let names = list.map { String(describing: type(of: $0)).prefix { $0 != "<" } }
        #expect(
            names == [
                "IdempotencyKey", "OfflinePolicy", "RetryPolicy", "TokenRefresher", "CircuitBreaker",
                "ConcurrencyLimit",
            ]
        )
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
