import Foundation

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineWebSocket

/// A connection to a server over a raw client's sockets.
final class RawChannel: ByteChannel {
    private let client: RawClient

    init(_ client: RawClient) { self.client = client }

    func receive() async throws(NetworkError) -> [UInt8]? {
        try await blocking { try $0.read() }
    }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        try await blocking { try $0.send(bytes) }
    }

    func close() { client.disconnect() }

    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable (RawClient) throws -> Value
    ) async throws(NetworkError) -> Value {
        let client = client
        do {
            return try await RawClient.beside { try work(client) }
        } catch {
            throw NetworkError(.lostMidBody, reason: "the socket failed", underlying: error)
        }
    }
}

extension LoopbackServer {
    /// Requests a WebSocket over a separate socket.
    func open(
        _ path: String = "/", protocols: [String] = [], options: WebSocketOptions = WebSocketOptions(),
        over channel: (RawClient) -> any ByteChannel = RawChannel.init
    ) async throws -> HTTPResponse {
        try await WebSocketOpening.response(
            to: HTTPRequest(url: url.appendingPathComponent(path)),
            over: channel(try RawClient(self)),
            offer: WebSocketOffer(protocols: protocols, options: options)
        )
    }

    /// Opens a WebSocket; throws if the server rejects it.
    func socket(_ path: String = "/", protocols: [String] = []) async throws -> WebSocket {
        let response = try await open(path, protocols: protocols)
        guard let socket = WebSocket(response) else { throw Refused(status: response.statusCode) }
        return socket
    }
}

struct Refused: Error, Equatable { let status: Int }
