import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineDigest
@testable import NetworkEngineResilience
@testable import NetworkEngineTesting

/// The samples in doc comments, to keep them compiling.
@Suite(.timeLimit(.minutes(5))) struct InterceptorSampleTests {
    private struct TokenAnswer: Decodable {
        let accessToken: String
        let expiresIn: Int
        let refreshToken: String?
    }

    private struct Session: Credential {
        let id: String
        var expiresAt: Date? { nil }
        func apply(to request: inout HTTPRequest) { request.headers["X-Session-Token"] = id }
    }

    private actor FileStore: CredentialStore {
        private var stored: BearerToken?

        func load() -> BearerToken? { stored }

        func save(_ new: BearerToken?, replacing old: BearerToken?) -> Bool {
            guard stored == old else { return false }
            stored = new
            return true
        }
    }

    private struct Always: ReachabilitySource {
        func current() -> ReachabilityStatus { .online }
        func changes() -> AsyncStream<ReachabilityStatus> { AsyncStream { $0.finish() } }
    }

    @Test func `retry policies`() throws {
        let patient = RetryPolicy(attemptLimit: 5, backoff: .exponential(base: .milliseconds(200), cap: .seconds(30)))
        let budget = RetryBudget(capacity: 500)
        let policy = RetryPolicy(
            attemptLimit: 3,
            backoff: .exponential(base: .milliseconds(50), cap: .seconds(20)),
            budget: RetryBudget(capacity: 500),
            random: { 1.0 }
        )
        try NetworkProvider<API>(interceptor: RetryPolicy(budget: budget)).validate()
        try NetworkProvider<API>(interceptors: [patient]).validate()
        #expect(policy.budget?.available == budget.available)
    }

    @Test func `refreshers`() throws {
        let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
        let refresher = TokenRefresher(store: store) { old, context in
            let answer: TokenAnswer = try await context.request(API.at(old.refreshToken ?? ""))
            return BearerToken(
                answer.accessToken,
                expiresIn: .seconds(answer.expiresIn),
                refreshToken: answer.refreshToken
            )
        }
        let other = TokenRefresher(
            store: FileStore(),
            refresh: { credential, context in BearerToken("new", expiresAt: .distantFuture, refreshToken: "r2") },
            onSessionExpired: { print("sign in again") }
        )
        try NetworkProvider<API>(interceptors: [RetryPolicy(), refresher]).validate()
        try NetworkProvider<API>(interceptors: .recommended(credential: other)).validate()
        var request = HTTPRequest(url: API.base)
        Session(id: "1").apply(to: &request)
        #expect(request.headers.contains("x-session-token"))
    }

    @Test func `passwords and keys`() throws {
        let (api, maps, password, key) = (API.base, API.base, "open sesame", "k")
        let basic = HTTPClient(
            baseURL: api, interceptors: [BasicAuth(username: "ada", password: password, origins: [api])])
        let digest = DigestAuth(username: "ada", password: password, origins: [api])
        let client = HTTPClient(baseURL: api, interceptors: [RetryPolicy(), digest])
        let keyed = HTTPClient(baseURL: api, interceptors: [APIKeyAuth(key: key, origins: [api])])
        let mapped = HTTPClient(
            baseURL: maps, interceptors: [APIKeyAuth(key: key, in: .query("api_key"), origins: [maps])])
        _ = [basic, client, keyed, mapped]
        try NetworkProvider<API>(interceptors: .recommended(credential: digest)).validate()
    }

    @Test func `limits, breakers, hedges, sharing`() throws {
        let limit = ConcurrencyLimit(total: 64, perHost: 6, queueLength: 1000)
        let rate = RateLimit(10, per: .seconds(1), burst: 20)
        let breaker = CircuitBreaker(
            failureRatio: 0.5, minimumCalls: 20, window: .seconds(30), breakTime: .seconds(5))
        let hedging = Hedging(after: .milliseconds(300), extraLoad: 0.1)
        try NetworkProvider<API>(interceptors: [RetryPolicy(), Deduplication(), breaker, limit, rate]).validate()
        try NetworkProvider<API>(interceptor: hedging).validate()
        try NetworkProvider<API>(interceptor: Hedging(afterPart: 0.95, first: .milliseconds(500))).validate()
        try NetworkProvider<API>().adding(RetryPolicy(attemptLimit: 5)).validate()
        #expect(throws: NetworkError.self) {
            try NetworkProvider<API>(interceptors: [breaker, RetryPolicy()]).validate()
        }
    }

    @Test func `networks`() {
        let network = ScriptedReachability(.offline)
        let reachability = Reachability(network, debounce: .zero)
        _ = OfflinePolicy(.waitForConnection(max: .seconds(5)), reachability: reachability)
        network.set(.online)
        #expect(Reachability(Always()).current == .online)
    }
}
