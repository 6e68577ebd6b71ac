import Foundation
public import NetworkEngine

extension NetworkCalling where Request == Endpoint {
    /// Opens a WebSocket.
    ///
    /// ```swift
    /// let socket = try await client.webSocket(.get("/chat"), protocols: ["chat.v2"])
    /// try await socket.send(.text("hello"))
    /// for try await message in socket.messages { show(message) }
    /// ```
    /// The handshake is a call like any other: it has interceptors, attempts, redirects, the timeout and the deadline.
    /// A response with a status other than 101 throws `.status` with that response. You can use `ws` and `wss` URLs
    /// instead of `http` and `https`.
    ///
    /// Requires a `CurlTransport` on Linux and a `URLSessionTransport` on Apple platforms; in tests, a `MockTransport`
    /// also opens WebSockets. Any other transport throws `.unsupported` before any I/O.
    ///
    /// - Parameter protocols: the subprotocols that the server can choose from, in order of preference.
    public func webSocket(_ endpoint: Endpoint, protocols: [String] = []) async throws(Failure) -> WebSocket {
        var endpoint = endpoint
        endpoint.location = endpoint.location.replacing(endpoint.path.handshakeAddress)
        return try await run(endpoint, .webSocket(protocols: protocols), settings: CallSettings())
    }
}

extension NetworkCalling where Request: TargetType {
    /// Opens a WebSocket.
    ///
    /// The handshake is a call like any other, with interceptors, attempts, redirects, the timeout and the deadline. A
    /// response with a status other than 101 throws `.status`. The target's method is GET, and its task has no body.
    ///
    /// - Parameter protocols: the subprotocols that the server can choose from, in order of preference.
    public func webSocket(_ target: Request, protocols: [String] = []) async throws(Failure) -> WebSocket {
        try await run(target, .webSocket(protocols: protocols), settings: CallSettings())
    }
}

extension ResponseDecoding where Value == WebSocket {
    /// An open WebSocket.
    ///
    /// - Parameter protocols: the subprotocols that the server can choose from, in order of preference.
    public static func webSocket(protocols: [String] = []) -> Self {
        var decoding = Self(decodesBody: false) { response, decoder in
            if let socket = WebSocket(response, decoder: decoder) { return socket }
            let reason = "an interceptor answered the handshake without a connection"
            throw NetworkError(kind: .invalidResponse, reason: reason, response: response)
        }
        decoding.delivery = .upgrade { configuration in
            WebSocketOffer(
                protocols: protocols,
                options: configuration.webSockets,
                clock: configuration.clock,
                encoder: configuration.encoder
            )
        }
        return decoding
    }
}
