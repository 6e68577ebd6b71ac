import Foundation
import NetworkEngine

/// The server's end of an exchange's two bodies: on a connection, or within the process.
protocol DuplexBodies: Sendable {
    /// The next piece of the request body; `nil` at its end.
    func receive() async throws -> Data?

    /// Sends a nonempty piece of the response body.
    func send(_ piece: Data) async throws(NetworkError)

    /// Ends the response body.
    func finish(trailers: HTTPHeaders) async throws(NetworkError)

    /// Sends an informational response.
    func send(_ interim: LoopbackResponse.Interim) async throws(NetworkError)

    /// Whether a piece waits for buffer space.
    var isSenderWaiting: Bool { get }
}

/// The two chunked bodies of an exchange on a connection.
final class ConnectionBodies: DuplexBodies {
    private let channel: LoopbackChannel
    private let state: Locked<State>

    private struct State {
        /// Reads the rest of the request; `nil` at its end.
        var parser: RequestParser?
        /// A body that was read before the response.
        var read: Data?
    }

    /// - Parameter parser: reads the rest of the request; `nil` if the whole request was read.
    init(_ request: LoopbackRequest, _ channel: LoopbackChannel, _ parser: RequestParser?) {
        self.channel = channel
        state = Locked(State(parser: parser, read: parser == nil ? request.body : nil))
    }

    var isSenderWaiting: Bool { channel.isSenderWaiting }

    func receive() async throws -> Data? {
        if let read = state.withLock({ $0.read.take() }), !read.isEmpty { return read }
        while true {
            switch state.withLock({ $0.parser?.next() ?? ($0.parser == nil ? .end(trailers: [:]) : nil) }) {
            case .body(let bytes): return Data(bytes)
            case .end:
                state.withLock { $0.parser = nil }
                return nil
            case .failure(let failure): throw NetworkError(.requestBody, reason: failure.reason)
            case .head, nil: break
            }
            guard let bytes = try await channel.receive() else { throw NetworkError.clientEnded }
            state.withLock { state in bytes.withUnsafeBytes { state.parser?.feed($0) } }
        }
    }

    func send(_ piece: Data) async throws(NetworkError) {
        try await channel.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A])
    }

    func finish(trailers: HTTPHeaders) async throws(NetworkError) {
        let fields = trailers.map { "\($0.name): \($0.value)\r\n" }.joined()
        try await channel.send(Array("0\r\n\(fields)\r\n".utf8))
    }

    func send(_ interim: LoopbackResponse.Interim) async throws(NetworkError) {
        try await channel.send(ResponseHead.interim(interim))
    }
}

extension NetworkError {
    /// The error that a server gets after its client has disconnected.
    static var clientEnded: NetworkError {
        NetworkError(.lostMidBody, reason: "the client ended the connection inside its body")
    }
}
