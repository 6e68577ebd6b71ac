public import NetworkEngine

extension NetworkCalling where Request == Endpoint {
    /// Opens a WebSocket, and reopens it whenever its connection is lost.
    ///
    /// ```swift
    /// let socket = client.webSocket(.get("/prices"), reconnecting: ReconnectPolicy()) { socket in
    ///     try await socket.send(json: Subscribe(symbols: symbols))
    /// }
    /// ```
    /// Each handshake is a separate call with the client's interceptors. All of them belong to one user: after a
    /// sign-out from a `TokenRefresher`, the next one fails with an `.authentication` error, which closes the socket.
    ///
    /// - Parameters:
    ///   - protocols: the subprotocols that the server can choose from, in order of preference.
    ///   - onOpen: runs after each opening, before other messages are sent. It can send messages and read the server's
    ///     responses. A `NetworkError` that it throws ends that connection; any other error closes the socket.
    public func webSocket(
        _ endpoint: Endpoint,
        protocols: [String] = [],
        reconnecting policy: ReconnectPolicy,
        onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        webSocket(
            endpoint, protocols: protocols, reconnecting: policy, of: CallSession(sharesOnlyStorage: true),
            onOpen: onOpen)
    }

    /// Opens a reconnecting WebSocket for a session's user.
    package func webSocket(
        _ endpoint: Endpoint,
        protocols: [String],
        reconnecting policy: ReconnectPolicy,
        of user: CallSession,
        onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> ReconnectingWebSocket {
        var endpoint = endpoint
        endpoint.location = endpoint.location.replacing(endpoint.path.handshakeAddress)
        return reconnecting(endpoint, protocols, policy, user, onOpen)
    }
}

extension NetworkCalling where Request: TargetType {
    /// Opens a WebSocket, and reopens it whenever its connection is lost.
    ///
    /// Each handshake is a separate call with the provider's interceptors. All of them belong to one user: after a
    /// sign-out from a `TokenRefresher`, the next one fails with an `.authentication` error, which closes the socket.
    ///
    /// - Parameters:
    ///   - protocols: the subprotocols that the server can choose from, in order of preference.
    ///   - onOpen: runs after each opening, before other messages are sent. It can send messages and read the server's
    ///     responses. A `NetworkError` that it throws ends that connection; any other error closes the socket.
    public func webSocket(
        _ target: Request,
        protocols: [String] = [],
        reconnecting policy: ReconnectPolicy,
        onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void = { _ in }
    ) -> ReconnectingWebSocket {
        reconnecting(target, protocols, policy, CallSession(sharesOnlyStorage: true), onOpen)
    }
}

extension NetworkCalling {
    fileprivate func reconnecting(
        _ request: Request,
        _ protocols: [String],
        _ policy: ReconnectPolicy,
        _ user: CallSession,
        _ onOpen: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> ReconnectingWebSocket {
        ReconnectingWebSocket(policy) { () throws(NetworkError) in
            var settings = CallSettings()
            settings.session = user
            return try await runUnmapped(request, .webSocket(protocols: protocols), settings: settings)
        } onOpen: {
            try await onOpen($0)
        }
    }
}
