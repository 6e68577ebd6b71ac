public import NetworkEngine

extension MappedHTTPClient {
    /// Opens a WebSocket.
    ///
    /// ```swift
    /// let socket = try await client.webSocket(.get("/chat"), protocols: ["chat.v2"])
    /// try await socket.send(.text("hello"))
    /// for try await message in socket.messages { show(message) }
    /// ```
    /// The handshake is a call like any other: it has interceptors, attempts, redirects, the timeout and the deadline.
    /// A response with another status than 101 throws `.status` with that response. `ws` and `wss` URLs are accepted in
    /// place of `http` and `https`.
    ///
    /// It needs a `CurlTransport` on Linux and a `URLSessionTransport` on Apple platforms; in tests, a `MockTransport`
    /// opens WebSockets, too. With any other transport it throws `.unsupported`, before any I/O.
    ///
    /// - Parameter protocols: the names of the protocols that the server can choose from, preferred ones first.
    @concurrent
    public func webSocket(_ endpoint: Endpoint, protocols: [String] = []) async throws(Failure) -> WebSocket {
        try await mapper.mapping { () throws(NetworkError) in
            try await client.webSocket(endpoint, protocols: protocols)
        }
    }
}

extension MappedProvider {
    /// Opens a WebSocket.
    ///
    /// The handshake is a call like any other, with interceptors, attempts, redirects, the timeout and the deadline. A
    /// response with another status than 101 throws `.status`. The target's method is GET, and its task has no body.
    ///
    /// - Parameter protocols: the names of the protocols that the server can choose from, preferred ones first.
    @concurrent
    public func webSocket(_ target: Target, protocols: [String] = []) async throws(Failure) -> WebSocket {
        try await mapper.mapping { () throws(NetworkError) in
            try await provider.webSocket(target, protocols: protocols)
        }
    }
}
