import Foundation
import NetworkEngine
public import NetworkEngineWebSocket

extension WebSocket {
    /// Creates two sockets that are connected within the process, without a server.
    ///
    /// ```swift
    /// let (socket, server) = WebSocket.pair()
    /// let chat = Chat(socket)
    /// try await server.send(.text("hello"))
    /// ```
    /// Messages sent by one end arrive at the other. Keep both: releasing one closes the connection. `client` masks its
    /// frames as a client does; otherwise the ends are the same.
    ///
    /// - Parameters:
    ///   - chosenProtocol: the subprotocol that both ends report.
    ///   - options: the limits of both ends.
    ///   - clock: measures the ping interval and the close timeout of both ends.
    public static func pair(
        protocol chosenProtocol: String? = nil,
        options: WebSocketOptions = WebSocketOptions(),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> (client: WebSocket, server: WebSocket) {
        var headers: HTTPHeaders = ["Upgrade": "websocket", "Connection": "Upgrade"]
        if let chosenProtocol { headers["Sec-WebSocket-Protocol"] = chosenProtocol }
        let response = HTTPResponse(statusCode: 101, headers: headers, request: .withinProcess)
        let offer = WebSocketOffer(protocols: chosenProtocol.map { [$0] } ?? [], options: options, clock: clock)
        let (client, server) = MemoryChannel.pair()
        return (
            WebSocket.over(client, as: .client, after: response, offer: offer),
            WebSocket.over(server, as: .server, after: response, offer: offer)
        )
    }
}

extension HTTPRequest {
    fileprivate static var withinProcess: HTTPRequest {
        guard let url = URL(string: "http://localhost/") else { preconditionFailure("The text is a URL") }
        return HTTPRequest(url: url)
    }
}
