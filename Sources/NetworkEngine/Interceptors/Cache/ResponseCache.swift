package import Foundation

/// Keeps responses, and answers requests with them by the rules of HTTP for a private cache.
///
/// ```swift
/// var configuration = NetworkConfiguration()
/// configuration.cache = ResponseCache()                 // 64 MiB in memory
/// let client = HTTPClient(baseURL: api, configuration: configuration)
/// let response = try await client.send(.get("/users"))
/// print(response.source)                                // .network, .cache or .revalidated
/// ```
/// A response is used while it is fresh (RFC 9111), and validated with its `ETag` or `Last-Modified` after that. Requests
/// that need the same validation wait for one of them. `stale-while-revalidate` and `stale-if-error` apply. A stale
/// response also answers when the server cannot be reached, unless the server or the request forbids that; look at
/// `source` and the `Age` field.
/// `TargetType.cachePolicy` and `Endpoint.cachePolicy` change the rules for one call.
///
/// The cache stands below redirects, credentials and cookies: every hop of a redirect can be answered from it, and a
/// response is selected by the fields that would be sent. Responses to requests with `Authorization`, `Cookie` or a
/// field that an interceptor added as a secret are used only for requests with the same values. One with
/// `Cache-Control: public` is also used for requests with other cookies, unless `Vary` names `Cookie`. A response from
/// the cache sets no cookies, and takes no permit of a `ConcurrencyLimit` or `RateLimit`. Interceptors that act on whole
/// attempts, such as a `CircuitBreaker`, stand above the cache.
///
/// Bodies are stored while the caller reads them, and only if they arrive complete. Set one cache in several
/// configurations to share its responses, but use another cache for each client certificate.
public final class ResponseCache: Sendable {
    let store: any CacheStore
    let now: @Sendable () -> Date
    /// The running validations, by the tokens of their entries.
    let validations = ValidationTable()
    let ledger = StoringLedger()

    /// Creates a cache over a store.
    public convenience init(store: any CacheStore = MemoryCacheStore(limit: 64 << 20)) {
        self.init(store: store, now: { Date() })
    }

    package init(store: any CacheStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// Removes all responses. A response that is being received is not stored.
    public func removeAll() async {
        ledger.removeAll()
        await store.removeAll()
    }

    func remove(_ key: CacheKey) async {
        ledger.remove(key)
        await store.remove(key)
    }

    func removeAll(from origin: String) async {
        ledger.removeAll(from: origin)
        await store.removeAll(from: origin)
    }
}
