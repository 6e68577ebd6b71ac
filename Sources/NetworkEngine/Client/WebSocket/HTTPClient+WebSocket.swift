import Foundation

extension HTTPClient {
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
    /// It needs a `CurlTransport` on Linux and a `URLSessionTransport` on Apple platforms; in tests, `MockTransport` opens
    /// WebSockets, too. With any other transport it throws `.unsupported`, before any I/O.
    ///
    /// - Parameter protocols: the names of the protocols that the server can choose from, preferred ones first.
    @concurrent
    public func webSocket(_ endpoint: Endpoint, protocols: [String] = []) async throws(NetworkError) -> WebSocket {
        var endpoint = endpoint
        endpoint.path = endpoint.path.handshakeAddress
        let target = ClientTarget(endpoint, below: baseURL.handshakeAddress)
        var options = CallOptions(target: target)
        let request = try options.request(for: target, by: engine.builder.rules)
        return try await engine.webSocket(request, options, protocols: protocols)
    }
}

extension NetworkProvider {
    /// Opens a WebSocket.
    ///
    /// The handshake is a call like any other, with interceptors, attempts, redirects, the timeout and the deadline. A
    /// response with another status than 101 throws `.status`. The target's method is GET, and its task has no body.
    ///
    /// - Parameter protocols: the names of the protocols that the server can choose from, preferred ones first.
    @concurrent
    public func webSocket(_ target: Target, protocols: [String] = []) async throws(NetworkError) -> WebSocket {
        var options = CallOptions(target: target)
        options.base = try options.resolvedBase(of: target, by: engine.builder.rules).handshakeAddress
        let request = try options.request(for: target, .request, by: engine.builder)
        return try await engine.webSocket(request, options, protocols: protocols)
    }
}
