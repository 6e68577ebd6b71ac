import Foundation
public import NetworkEngine

/// Keeps responses, and answers requests with them by the rules of HTTP for a private cache.
///
/// ```swift
/// var configuration = NetworkConfiguration()
/// configuration.cache = ResponseCache()                 // 64 MiB in memory
/// let client = HTTPClient(baseURL: api, configuration: configuration)
/// let response = try await client.send(.get("/users"))
/// print(response.source)                                // .network, .cache or .revalidated
/// ```
/// A response is used while it is fresh (RFC 9111), and validated with its `ETag` or `Last-Modified` after that.
/// Requests that need the same validation wait for one of them. `stale-while-revalidate` and `stale-if-error` apply. A
/// stale response also answers when the server cannot be reached, unless the server or the request forbids that; look
/// at `source` and the `Age` field. `TargetType.cachePolicy` and `Endpoint.cachePolicy` change the rules for one call.
///
/// The cache stands below redirects, credentials and cookies: every hop of a redirect can be answered from it, and a
/// response is selected by the fields that would be sent. All fields identify the sender, but those that are known to
/// be the same for all users, such as `Accept` and `User-Agent`: a response is used only for requests with the same
/// values. The session of a `TokenRefresher` and the user name of a `DigestAuth` identify the sender in place of their
/// fields, which change. A response with `Cache-Control: public` is used for all requests with the same credentials,
/// unless `Vary` names other fields. A response from the cache sets no cookies, and takes no permit of a
/// `ConcurrencyLimit` or `RateLimit`. Interceptors that act on whole attempts, such as a `CircuitBreaker`, stand above
/// the cache.
///
/// Bodies are stored while the caller reads them, and only if they arrive complete. Set one cache in several
/// configurations to share its responses, but use another cache for each client certificate.
public final class ResponseCache: ExchangeLayer {
    let store: any CacheStore
    let senders: SenderRules
    let now: @Sendable () -> Date
    /// The running validations, by the tokens of their entries.
    let validations = ValidationTable()
    let pendingStores = PendingStores()

    /// Creates a cache over a store.
    ///
    /// ```swift
    /// ResponseCache(sharedFields: ["X-App-Version"], sharedCookies: ["_ga"]) { request in request.headers["X-User"] }
    /// ```
    /// - Parameters:
    ///   - sharedFields: the names of request fields that say nothing about the user.
    ///   - sharedCookies: the names of cookies that change nothing in what is shown.
    ///   - identity: returns the user of a request as it is sent, in place of its fields and cookies; `nil` for a
    ///     request that it knows nothing about. Two users never have the same text.
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

    /// Removes all responses. A response that is being received or validated is not stored, and no older one is used.
    public func removeAll() async { await pendingStores.remove(where: { _ in true }) { await store.removeAll() } }

    func remove(_ key: CacheKey) async { await pendingStores.remove(where: { $0 == key }) { await store.remove(key) } }

    func removeAll(from origin: String) async {
        await pendingStores.remove(where: { $0.origin == origin }) { await store.removeAll(from: origin) }
    }
}
