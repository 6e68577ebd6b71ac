public import NetworkEngine
public import NetworkEngineMocks
public import NetworkEngineWebSocket

extension MockAnswer {
    /// Accepts a WebSocket, and runs a closure with the server's end.
    ///
    /// ```swift
    /// let mock = MockTransport(
    ///     .webSocket { socket in
    ///         for try await message in socket.messages { try await socket.send(message) }
    ///     })
    /// ```
    /// The handshake and frames are the same as on a real connection, but within the process. When the closure returns,
    /// the socket is closed with code 1000, or with 1011 if the closure throws. When the client closes the connection,
    /// `messages` ends or throws.
    ///
    /// A request that isn't a WebSocket handshake fails. Any other answer to a WebSocket request refuses it.
    ///
    /// - Parameters:
    ///   - chosenProtocol: the subprotocol that the server chooses. The client fails if it has not offered it.
    ///   - headers: fields that replace those with the same names, even `Sec-WebSocket-Accept`.
    public static func webSocket(
        protocol chosenProtocol: String? = nil,
        headers: HTTPHeaders = [:],
        _ body: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> MockAnswer {
        let service = WebSocketService(choosing: chosenProtocol, body)
        return MockAnswer { try await service.open($0, headers: headers, offer: $1.upgrade) }
    }

    /// Accepts a WebSocket, and runs a closure with the server's end.
    @_disfavoredOverload
    public static func webSocket(
        protocol chosenProtocol: String? = nil,
        headers: some TargetHeaders,
        _ body: @escaping @Sendable @concurrent (WebSocket) async throws -> Void
    ) -> MockAnswer {
        webSocket(protocol: chosenProtocol, headers: HTTPHeaders(declared: headers), body)
    }
}

extension WebSocketService {
    /// Opens a WebSocket within the process, and serves the other end.
    func open(
        _ request: HTTPRequest,
        headers: HTTPHeaders,
        offer: (any UpgradeOffer)?
    ) async throws(NetworkError) -> HTTPResponse {
        guard let offer else {
            let reason = "the mock answers with a WebSocket, and the request asks for none"
            throw NetworkError(kind: .transport, reason: reason, request: request)
        }
        let (client, server) = MemoryChannel.pair()
        // The connection's end ends this task: releasing the client's end closes it.
        let service = Task { await serve(server, request, headers: headers) }
        do throws(NetworkError) {
            return try await offer.response(to: request, over: client, userAgent: nil) {}
        } catch {
            service.cancel()
            client.close()
            throw error.completed(request: request)
        }
    }

    /// Answers a handshake as a server, and runs the work.
    @concurrent
    private func serve(_ channel: MemoryChannel, _ request: HTTPRequest, headers: HTTPHeaders) async {
        do {
            var request = request
            request.headers = try await channel.receiveHeaders()
            let handshake = try ServerHandshake(method: request.method, headers: request.headers)
            let headers = handshake.headers(choosing: chosenProtocol, merging: headers)
            try await channel.send(status: "101 Switching Protocols", headers)
            await run(over: channel, after: HTTPResponse(statusCode: 101, headers: headers, request: request))
        } catch {
            channel.close()
        }
    }
}

extension MemoryChannel {
    /// Receives a request, and returns its headers.
    fileprivate func receiveHeaders() async throws(NetworkError) -> HTTPHeaders {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let more = try await receive() { head += more }
        let requestLine = head.prefix { $0 != 0x0A }
        return HTTPHeaders(lines: Array(head.dropFirst(requestLine.count + 1)))
    }

    fileprivate func send(status: String, _ headers: HTTPHeaders) async throws(NetworkError) {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        try await send(Array("HTTP/1.1 \(status)\r\n\(lines)\r\n".utf8))
    }
}
