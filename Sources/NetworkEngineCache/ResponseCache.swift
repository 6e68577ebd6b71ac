import Foundation
public import NetworkEngine

/// Stores responses, and answers requests with them according to HTTP's rules for a private cache.
///
/// ```swift
/// var configuration = NetworkConfiguration()
/// configuration.cache = ResponseCache()                 // 64 MiB in memory
/// let client = HTTPClient(baseURL: api, configuration: configuration)
/// let response = try await client.send(.get("/users"))
/// print(response.source)                                // .network, .cache or .revalidated
/// ```
/// A response is used while it is fresh (RFC 9111), and afterwards validated with its `ETag` or `Last-Modified`.
/// Requests that need the same validation share one. `stale-while-revalidate` and `stale-if-error` are supported. A
/// stale response is also used when the server cannot be reached, unless the server or the request forbids it; check
/// `source` and the `Age` field. `TargetType.cachePolicy` and `Endpoint.cachePolicy` change the rules for one call.
///
/// The cache is below redirects, credentials and cookies: it can answer every hop of a redirect, and selects a response
/// by the fields that would be sent. All fields identify the sender, except those known to be the same for all users,
/// such as `Accept` and `User-Agent`: a response is used only for requests with the same values. The session of a
/// `TokenRefresher` and the user name of a `DigestAuth` identify the sender instead of their fields, which change. A
/// response with `Cache-Control: public` is used for all requests with the same credentials, unless `Vary` specifies
/// other fields. A cached response sets no cookies, and takes no permit from a `ConcurrencyLimit` or `RateLimit`.
/// Interceptors for whole attempts, such as a `CircuitBreaker`, are above the cache.
///
/// Bodies are stored while the caller reads them, and only if they arrive complete. Set one cache in several
/// configurations to share its responses, but use a separate cache for each client certificate.
public final class ResponseCache: ExchangeLayer {
    let store: any CacheStore
    let senders: SenderRules
    let now: @Sendable () -> Date
    /// The running validations, by their entries' tokens.
    let validations = ValidationTable()
    let pendingStores = PendingStores()

    /// Creates a cache with a store.
    ///
    /// ```swift
    /// ResponseCache(sharedFields: ["X-App-Version"], sharedCookies: ["_ga"]) { request in request.headers["X-User"] }
    /// ```
    /// - Parameters:
    ///   - sharedFields: the names of request fields that don't depend on the user.
    ///   - sharedCookies: the names of cookies that don't affect the content, such as analytics cookies.
    ///   - identity: returns the user of a request as it is sent, to be used instead of its fields and cookies; `nil`
    ///     to use the fields and cookies. Two users must never have the same text.
    public convenience init(
        store: any CacheStore = MemoryCacheStore(limit: 64 << 20),
        sharedFields: Set<String> = [],
        sharedCookies: Set<String> = [],
        identity: (@Sendable (HTTPRequest) -> String?)? = nil
    ) {
        let fields = Set(sharedFields.map { $0.lowercased() })
        let senders = SenderRules(identify: identity, sharedFields: fields, sharedCookies: sharedCookies)
        self.init(store: store, senders: senders, now: { Date() })
    }

    convenience init(store: any CacheStore, now: @escaping @Sendable () -> Date) {
        self.init(store: store, senders: SenderRules(), now: now)
    }

    private init(store: any CacheStore, senders: SenderRules, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.senders = senders
        self.now = now
    }

    /// Removes all responses. A response being received or validated is not stored, and no older one is used.
    public func removeAll() async { await pendingStores.remove(where: { _ in true }) { await store.removeAll() } }

    func remove(_ key: CacheKey) async { await pendingStores.remove(where: { $0 == key }) { await store.remove(key) } }

    func removeAll(from origin: String) async {
        await pendingStores.remove(where: { $0.origin == origin }) { await store.removeAll(from: origin) }
    }
}
