extension HTTPClient {
    /// Opens a connection to the server of the base, so that the first call need not wait for one.
    ///
    /// ```swift
    /// async let connection: Void = client.prepare()
    /// ```
    /// It sends a `HEAD` to the root of the server, without the headers, cookies and credentials of the configuration,
    /// and ignores the status. It throws if there is no response.
    @concurrent
    public func prepare() async throws(NetworkError) {
        let base = try engine.builder.rules.base(of: AnyTarget(baseURL: baseURL))
        try await engine.prepare(at: base)
    }
}

extension HTTPClient {
    /// Cancels the running calls that this client and its copies have started with a handle or a callback.
    ///
    /// Each of them ends with an error of kind `.cancelled`. A call that is awaited belongs to its task, which cancels
    /// it. Later calls are not affected.
    public func cancelAll() { engine.started.cancelAll() }
}
