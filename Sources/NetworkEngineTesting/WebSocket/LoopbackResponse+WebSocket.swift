public import Foundation
public import NetworkEngine
import NetworkEngineMocks
public import NetworkEngineWebSocket

extension LoopbackResponse {
    /// Accepts a WebSocket, and runs a closure with the server's end.
    ///
    /// ```swift
    /// server.enqueue(
    ///     .webSocket { socket in
    ///         for try await message in socket.messages { try await socket.send(message) }
    ///     })
    /// ```
    /// When the closure returns, the socket is closed with code 1000, or with 1011 if the closure throws. When the
    /// client closes the connection, `messages` ends or throws. The closure's task is canceled when
    /// `closeConnections(_:)` closes the connection, and when the server stops.
    ///
    /// A request that isn't a WebSocket handshake gets a 426 or a 400, and `LoopbackRecord.refusals` contains the
    /// reason. Incidents are performed as in other responses; the closure starts after `LoopbackPoint.responseEnd`.
    ///
    /// - Parameters:
    ///   - chosenProtocol: the subprotocol that the server chooses, offered or not.
    ///   - headers: fields that replace those with the same names, even `Sec-WebSocket-Accept`.
    public static func webSocket(
        protocol chosenProtocol: String? = nil,
        headers: HTTPHeaders = [:],
        _ body: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> Self {
        var response = Self(status: 101, headers: headers)
        response.upgrade = .webSocket(WebSocketService(choosing: chosenProtocol, body))
        return response
    }

    /// Accepts a WebSocket, and runs a closure with the server's end.
    @_disfavoredOverload
    public static func webSocket(
        protocol chosenProtocol: String? = nil,
        headers: some TargetHeaders,
        _ body: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> Self {
        webSocket(protocol: chosenProtocol, headers: HTTPHeaders(declared: headers), body)
    }

    /// Accepts a WebSocket, then sends exactly these bytes, valid frames or not.
    ///
    /// For incidents and pacing, the bytes are the response body. Data from the client is ignored.
    ///
    /// - Parameter ending: the connection's state after the bytes. `.keepAlive` leaves it open until the client closes
    ///   it.
    public static func webSocket(sending bytes: Data, then ending: LoopbackEnding = .close) -> Self {
        var response = Self(status: 101, body: .data(bytes))
        response.upgrade = .bytes
        response.ending = ending
        return response
    }

    /// What a connection is used for after the response head.
    enum Upgrade: Sendable {
        case webSocket(WebSocketService)
        case bytes
        /// Both bodies of the exchange, without switching protocols.
        case duplex(DuplexService)

        /// Whether the request must be a handshake.
        var leavesHTTP: Bool { if case .duplex = self { false } else { true } }
    }

    var sendsBytesAfterUpgrade: Bool { if case .bytes = upgrade { true } else { false } }

    /// The response to a handshake.
    func answering(
        _ head: RequestHead?,
        _ options: WebSocketOptions
    ) throws(ServerHandshake.Refusal) -> LoopbackResponse {
        let handshake = try ServerHandshake(head, compression: options.compression)
        var chosenProtocol: String?
        if case .webSocket(let service) = upgrade { chosenProtocol = service.chosenProtocol }
        var response = self
        response.headers = handshake.headers(choosing: chosenProtocol, merging: headers)
        return response
    }
}

extension ServerHandshake {
    fileprivate init(_ head: RequestHead?, compression: WebSocketCompression?) throws(Refusal) {
        guard let head, head.minorVersion == 1, head.framing == .none else {
            throw Refusal(status: 400, reason: "a WebSocket is asked for by HTTP/1.1 without a body")
        }
        try self.init(
            method: HTTPMethod(rawValue: head.method), headers: head.headers, compression: compression)
    }
}
