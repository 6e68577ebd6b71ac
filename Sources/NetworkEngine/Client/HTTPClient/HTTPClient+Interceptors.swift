extension HTTPClient {
    /// The same client with more interceptors, inside of its own: for calls that need something else than the others.
    ///
    /// ```swift
    /// let report: Data = try await client.adding(RetryPolicy(maxAttempts: 5)).request(.get("/report"))
    /// ```
    /// Of policies that a list can have only one of, the new one takes the place of the old.
    public func adding(_ interceptors: any RequestInterceptor...) -> HTTPClient {
        HTTPClient(
            baseURL: baseURL,
            interceptors: engine.interceptors.containing(interceptors),
            configuration: engine.configuration
        )
    }
}
