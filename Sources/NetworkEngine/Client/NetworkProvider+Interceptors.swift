extension NetworkProvider {
    /// The same provider with more interceptors, inside of its own: for calls that need something else than the others.
    ///
    /// ```swift
    /// let report: Report = try await provider.adding(RetryPolicy(maxAttempts: 5)).request(.report)
    /// ```
    /// Of policies that a list can have only one of (`RetryPolicy`, `OfflinePolicy`, `DefaultInterceptor`), the new one takes
    /// the place of the old. All others are shared, with what they know: credentials, circuits, places.
    public func adding(_ interceptors: any RequestInterceptor...) -> NetworkProvider {
        NetworkProvider(
            interceptors: engine.interceptors.containing(interceptors),
            configuration: engine.configuration
        )
    }
}
