import NetworkEngine

extension CurlTransport: WebSocketTransport {
    /// Opens a separate connection, and asks for a WebSocket over it.
    func openWebSocket(
        _ request: HTTPRequest,
        _ offer: WebSocketOffer,
        _ context: TransportContext,
        on sockets: CurlSocketThread
    ) async throws -> HTTPResponse {
        let socket = try sockets.socket(for: request)
        context.admitted()
        context.onInterruption { socket.close() }
        return try await withTaskCancellationHandler {
            do {
                try await socket.connect()
                context.reportActivity()
                let response = try await WebSocketOpening.response(
                    to: request, over: socket, offer: offer, context: context, userAgent: userAgent)
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
