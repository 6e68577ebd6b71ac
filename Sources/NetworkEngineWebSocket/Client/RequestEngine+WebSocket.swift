import Foundation
import NetworkEngine

extension RequestEngine {
    /// Asks for a WebSocket, with the interceptors, attempts and redirects of any call.
    func webSocket(
        _ request: HTTPRequest,
        _ options: CallOptions,
        protocols: [String]
    ) async throws(NetworkError) -> WebSocket {
        guard configuration.transport is any UpgradingTransport else {
            throw .unsupported("the transport opens no WebSockets; on Linux CurlTransport does", request: request)
        }
        try request.checkForWebSocket(protocols: protocols)
        var options = options
        options.streams = true
        options.upgrade = WebSocketOffer(
            protocols: protocols,
            options: configuration.webSockets,
            clock: configuration.clock
        )
        options.validation = .statusCodes([101])
        let response = try await value(of: request, options, decoding: .response)
        let decoder = decoder(for: options.target)
        guard let socket = WebSocket(response, decoder: decoder, encoder: configuration.encoder) else {
            let reason = "an interceptor answered the handshake without a connection"
            throw NetworkError(kind: .invalidResponse, reason: reason, response: response)
        }
        return socket
    }
}

extension URL {
    /// The address of the handshake: `ws` is sent by `http`, and `wss` by `https`.
    var handshakeAddress: URL { URL(string: absoluteString.handshakeAddress) ?? self }
}
