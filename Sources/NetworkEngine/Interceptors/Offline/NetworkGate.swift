/// Fails requests before I/O while there is no network.
package struct NetworkGate: RequestInterceptor {
    package let isOpen: @Sendable @concurrent () async -> Bool

    package init(isOpen: @escaping @Sendable @concurrent () async -> Bool) { self.isOpen = isOpen }

    package func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard await isOpen() else { throw NetworkError.withoutNetwork(request) }
        return request
    }
}

extension NetworkError {
    /// The error of a request that was not sent because there is no network.
    package static func withoutNetwork(_ request: HTTPRequest) -> NetworkError {
        NetworkError(kind: .offline, reason: "there is no network; nothing was sent", request: request)
    }
}
