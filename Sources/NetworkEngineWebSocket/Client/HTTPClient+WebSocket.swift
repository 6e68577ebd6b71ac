import Foundation
public import NetworkEngine

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
    /// It needs a `CurlTransport` on Linux and a `URLSessionTransport` on Apple platforms; in tests, a `MockTransport`
    /// opens WebSockets, too. With any other transport it throws `.unsupported`, before any I/O.
    ///
    /// - Parameter protocols: the names of the protocols that the server can choose from, preferred ones first.
    @concurrent
    public func webSocket(_ endpoint: Endpoint, protocols: [String] = []) async throws(NetworkError) -> WebSocket {
        var endpoint = endpoint
        endpoint.location = endpoint.location.replacing(endpoint.path.handshakeAddress)
        let (request, options) = try call(of: endpoint, below: baseURL.handshakeAddress)
        return try await engine.webSocket(request, options, protocols: protocols)
    }
}
