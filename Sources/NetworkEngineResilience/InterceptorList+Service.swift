public import NetworkEngine

extension Array where Element == any RequestInterceptor {
    /// The interceptors that a service needs to call other services, in the right order.
    ///
    /// ```swift
    /// let provider = NetworkProvider<UserAPI>(interceptors: .service(concurrency: ConcurrencyLimit(perHost: 100)))
    /// ```
    /// The list contains, in this order: a `RetryPolicy`, the credential, a `CircuitBreaker` and a `ConcurrencyLimit`.
    /// An app has one user and few calls at a time, so that these two would only reject calls that could succeed.
    ///
    /// - Parameters:
    ///   - credential: a `TokenSource`, a `BasicAuth` or another interceptor that signs requests.
    ///   - concurrency: the limits of concurrent exchanges and of the queue of those that wait.
    public static func service(
        credential: (any RequestInterceptor)? = nil,
        retry: RetryPolicy = RetryPolicy(),
        breaker: CircuitBreaker = CircuitBreaker(),
        concurrency: ConcurrencyLimit = ConcurrencyLimit()
    ) -> [any RequestInterceptor] {
        [retry] + (credential.map { [$0] } ?? []) + [breaker, concurrency]
    }
}
