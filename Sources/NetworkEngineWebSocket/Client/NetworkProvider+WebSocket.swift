import Foundation
public import NetworkEngine

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
