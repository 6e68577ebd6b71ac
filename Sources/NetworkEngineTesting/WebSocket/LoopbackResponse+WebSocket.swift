public import Foundation
public import NetworkEngine
import NetworkEngineMocks
public import NetworkEngineWebSocket

extension LoopbackResponse {
    /// Accepts a WebSocket, and runs a closure with the server's end of it.
    ///
    /// ```swift
    /// server.enqueue(
    ///     .webSocket { socket in
    ///         for try await message in socket.messages { try await socket.send(message) }
    ///     })
    /// ```
    /// When the closure returns, the socket is closed with the code 1000, and with 1011 if it throws an error. When the
    /// client ends the connection, `messages` ends or throws. The task of the closure is canceled when
    /// `closeConnections(_:)` ends the connection, and when the server stops.
    ///
    /// A request that asks for no WebSocket gets a 426 or a 400, and `LoopbackRecord.refusals` names the reason.
    /// Incidents are performed as in other responses; the closure starts after `LoopbackPoint.responseEnd`.
    ///
    /// - Parameters:
    ///   - chosenProtocol: the protocol above WebSocket that the server chooses, offered or not.
    ///   - headers: fields that replace those of the same names, even `Sec-WebSocket-Accept`.
    public static func webSocket(
        protocol chosenProtocol: String? = nil,
        headers: HTTPHeaders = [:],
        _ body: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> Self {
        var response = Self(status: 101, headers: headers)
        response.upgrade = .webSocket(WebSocketService(choosing: chosenProtocol, body))
        return response
    }

    /// Accepts a WebSocket, and runs a closure with the server's end of it.
    @_disfavoredOverload
    public static func webSocket(
        protocol chosenProtocol: String? = nil,
        headers: some TargetHeaders,
        _ body: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> Self {
        webSocket(protocol: chosenProtocol, headers: HTTPHeaders(declared: headers), body)
    }

    /// Accepts a WebSocket, then sends exactly these bytes, which need not be frames.
    ///
    /// The bytes are the body of the response for incidents and pacing. What the client sends is ignored.
    ///
    /// - Parameter ending: the state of the connection after the bytes. `.keepAlive` leaves it open until the client
    ///   ends it.
    public static func webSocket(sending bytes: Data, then ending: LoopbackEnding = .close) -> Self {
        var response = Self(status: 101, body: .data(bytes))
        response.upgrade = .bytes
        response.ending = ending
        return response
    }

    /// The use of a connection after the head of the response.
    enum Upgrade: Sendable {
        case webSocket(WebSocketService)
        case bytes
        /// Both bodies of the exchange, without a change of the protocol.
        case duplex(DuplexService)

        /// Whether the request must be a handshake.
        var leavesHTTP: Bool { if case .duplex = self { false } else { true } }
    }

    var sendsBytesAfterUpgrade: Bool { if case .bytes = upgrade { true } else { false } }

    /// The response with the answer to a handshake.
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
