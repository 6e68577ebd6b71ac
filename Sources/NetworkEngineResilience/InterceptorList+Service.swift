public import NetworkEngine

extension Array where Element == any RequestInterceptor {
    /// The interceptors for a service that calls other services, in the right order.
    ///
    /// ```swift
    /// let provider = NetworkProvider<UserAPI>(interceptors: .service(concurrency: ConcurrencyLimit(perHost: 100)))
    /// ```
    /// The list contains, in this order: a `RetryPolicy`, the credential, a `CircuitBreaker` and a `ConcurrencyLimit`.
    /// In an app, which has one user and few concurrent calls, the last two would only reject calls that could succeed.
    ///
    /// - Parameters:
    ///   - credential: a `TokenSource`, a `BasicAuth` or another interceptor that signs requests.
    ///   - concurrency: the limits for concurrent exchanges and for the queue of waiting ones.
    public static func service(
        credential: (any RequestInterceptor)? = nil,
        retry: RetryPolicy = RetryPolicy(),
        breaker: CircuitBreaker = CircuitBreaker(),
        concurrency: ConcurrencyLimit = ConcurrencyLimit()
    ) -> [any RequestInterceptor] {
        [retry] + (credential.map { [$0] } ?? []) + [breaker, concurrency]
    }
}
