extension Array where Element == any RequestInterceptor {
    /// What a service usually needs, in the right order.
    ///
    /// ```swift
    /// let provider = NetworkProvider<UserAPI>(interceptors: .recommended(credential: refresher))
    /// ```
    /// In this order: keys for requests that must not happen twice, an `OfflinePolicy`, a `RetryPolicy`, the credential, a
    /// `CircuitBreaker`, a `ConcurrencyLimit`. The article "The order of interceptors" says why.
    ///
    /// - Parameter credential: a `TokenRefresher`, a `TokenSource` or another interceptor that signs requests.
    public static func recommended(
        credential: (any RequestInterceptor)? = nil,
        offline: OfflineMode = .failFast,
        retry: RetryPolicy = RetryPolicy(),
        breaker: CircuitBreaker = CircuitBreaker(),
        concurrency: ConcurrencyLimit = ConcurrencyLimit()
    ) -> [any RequestInterceptor] {
        let outer: [any RequestInterceptor] = [IdempotencyKey(), OfflinePolicy(offline), retry]
        let inner: [any RequestInterceptor] = [breaker, concurrency]
        return outer + (credential.map { [$0] } ?? []) + inner
    }

    /// Throws an error of kind `.unsupported` when interceptors stand together or in an order that does not work.
    ///
    /// ```swift
    /// let interceptors: [any RequestInterceptor] = [RetryPolicy(), CircuitBreaker()]
    /// try interceptors.validate()
    /// ```
    /// Its `reason` says what is wrong and what to do about it.
    public func validate() throws(NetworkError) {
        let faults = CompositionRule.all.compactMap { $0.fault(in: self) }
        guard !faults.isEmpty else { return }
        throw NetworkError(kind: .unsupported, reason: faults.joined(separator: "; "))
    }
}
