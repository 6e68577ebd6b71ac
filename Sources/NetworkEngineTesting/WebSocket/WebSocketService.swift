import NetworkEngine
import NetworkEngineWebSocket

/// A test server's work with a WebSocket: the headers of its response, and what it does with the open socket.
struct WebSocketService: Sendable {
    typealias Body = @Sendable @concurrent (WebSocket) async throws -> Void

    let chosenProtocol: String?
    private let body: Body

    init(choosing chosenProtocol: String?, _ body: @escaping Body) {
        (self.chosenProtocol, self.body) = (chosenProtocol, body)
    }

    /// Runs the work, then closes the socket: with code 1000, or with 1011 if the work threw an error.
    ///
    /// - Parameters:
    ///   - response: the response with status 101.
    ///   - received: bytes that arrived after the request.
    func run(
        over channel: any ByteChannel,
        after response: HTTPResponse,
        received: [UInt8] = [],
        options: WebSocketOptions = WebSocketOptions()
    ) async {
        let offer = WebSocketOffer(options: options)
        let socket = WebSocket.over(channel, as: .server, after: response, received: received, offer: offer)
        do {
            try await body(socket)
            await socket.close()
        } catch {
            await socket.close(code: 1011)
        }
    }
}

extension WebSocket {
    /// Creates one end of a connection after its handshake.
    static func over(
        _ channel: any ByteChannel,
        as role: WebSocketFrame.Role,
        after response: HTTPResponse,
        received: [UInt8] = [],
        offer: WebSocketOffer
    ) -> WebSocket {
        let connection = FramedConnection(
            channel,
            as: role,
            offer: offer,
            negotiatedProtocol: response.headers["Sec-WebSocket-Protocol"],
            compression: CompressionTerms(answered: response.headers),
            received: received,
            request: response.request
        )
        var response = response
        response.upgrade = WebSocketOwner(connection, encoder: offer.encoder)
        guard let socket = WebSocket(response) else { preconditionFailure("The response has a connection") }
        return socket
    }
}
