package import Foundation
package import NetworkEngine

/// A WebSocket's open connection.
package protocol WebSocketConnection: AnyObject, Sendable {
    /// The subprotocol that the server chose.
    var negotiatedProtocol: String? { get }
    /// The other end's close frame, or this end's if the other sent none.
    var close: WebSocketClose? { get }
    /// Whether messages can be sent.
    var isOpen: Bool { get }
    /// The maximum number of bytes of messages waiting for a reader.
    var bufferLimit: Int { get }
    /// Whether there are messages that were not received yet.
    var hasUnreadMessages: Bool { get }

    /// Removes and returns the messages that were not received. The connection has ended.
    func takeUnreadMessages() -> [WebSocketMessage]
    /// Reserves buffer space, because messages from earlier connections wait for the same reader.
    func reserve(_ size: Int)

    /// Waits until the connection has ended, and returns the reason; `nil` for a normal close.
    func failure() async throws(CancellationError) -> NetworkError?
    /// Sends a message, and returns when the system has accepted it.
    func send(_ message: WebSocketMessage) async throws(NetworkError)
    /// The next message; `nil` after a normal close.
    func receive() async throws(NetworkError) -> WebSocketMessage?
    /// Sends a ping and waits for its pong.
    func ping() async throws(NetworkError)
    /// Sends a close frame and waits until the connection has ended. A canceled task does not wait.
    func close(with frame: WebSocketClose) async
    /// Closes the connection immediately, or a closing one after its close frame.
    func abandon()
}

/// Owns a connection, which closes when its response and its `WebSocket` are released.
package final class WebSocketOwner: UpgradedConnection {
    let connection: any WebSocketConnection

    /// Encodes values sent as messages.
    let encoder: JSONEncoder

    package init(_ connection: any WebSocketConnection, encoder: JSONEncoder = JSONEncoder()) {
        (self.connection, self.encoder) = (connection, encoder)
    }

    deinit { connection.abandon() }
}
