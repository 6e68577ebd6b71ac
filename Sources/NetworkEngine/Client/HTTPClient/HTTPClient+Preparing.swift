extension HTTPClient {
    /// Opens a connection to the server of the base, so that the first call need not wait for one.
    ///
    /// ```swift
    /// async let connection: Void = client.prepare()
    /// ```
    /// It sends a `HEAD` to the root of the server, without the headers, cookies and credentials of the configuration, and ignores the
    /// status. It throws if there is no response.
    @concurrent
    public func prepare() async throws(NetworkError) {
        let base = try engine.builder.rules.base(of: AnyTarget(baseURL: baseURL))
        try await engine.prepare(at: base)
    }
}
