// Written by .ci/mapped-errors from NetworkProvider+WebSocket.swift. Change that file.

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
