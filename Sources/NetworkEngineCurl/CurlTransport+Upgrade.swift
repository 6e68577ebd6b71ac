import NetworkEngine

extension CurlTransport {
    /// Opens a separate connection, and requests another protocol over it.
    ///
    /// - Parameter resolution: the host's addresses, if there is a resolver.
    func upgrade(
        _ request: HTTPRequest,
        to offer: any UpgradeOffer,
        _ context: TransportContext,
        _ resolution: [UInt8],
        on sockets: CurlSocketThread
    ) async throws -> HTTPResponse {
        let socket = try sockets.socket(for: request, resolution: resolution)
        context.admitted()
        context.onInterruption { socket.close() }
        return try await withTaskCancellationHandler {
            do {
                try await socket.connect()
                context.reportActivity()
                let response = try await context.departing(request) {
                    try await offer.response(to: request, over: socket, userAgent: userAgent) {
                        context.reportActivity()
                    }
                }
                if response.upgrade == nil { socket.close() }
                return response
            } catch {
                socket.close()
                throw error
            }
        } onCancel: {
            socket.close()
        }
    }
}
