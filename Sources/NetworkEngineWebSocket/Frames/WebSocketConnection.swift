package import Foundation
package import NetworkEngine

/// The open connection of a WebSocket.
package protocol WebSocketConnection: AnyObject, Sendable {
    /// The protocol above WebSocket that the server has chosen.
    var negotiatedProtocol: String? { get }
    /// The close frame of the other end, or of this one if the other has sent none.
    var close: WebSocketClose? { get }
    /// Whether messages can be sent.
    var isOpen: Bool { get }
    /// The largest number of bytes of messages that wait for a reader.
    var bufferLimit: Int { get }
    /// Whether messages have arrived that were not received yet.
    var hasUnreadMessages: Bool { get }

    /// Takes the messages that were not received. The connection has ended.
    func takeUnreadMessages() -> [WebSocketMessage]
    /// Leaves less room for messages: some from earlier connections wait for the same reader.
    func reserve(_ size: Int)

    /// Waits for the end of the connection, and returns its reason; `nil` for a normal end.
    func failure() async throws(CancellationError) -> NetworkError?
    /// Sends a message, and returns when the system has taken it.
    func send(_ message: WebSocketMessage) async throws(NetworkError)
    /// The next message; `nil` after a normal close.
    func receive() async throws(NetworkError) -> WebSocketMessage?
    /// Sends a ping and waits for its pong.
    func ping() async throws(NetworkError)
    /// Sends a close frame and waits until the connection has ended. A canceled task does not wait.
    func close(with frame: WebSocketClose) async
    /// Ends the connection at once, a closing one after its close frame.
    func abandon()
}

/// Owns a connection: the connection ends when its response and its `WebSocket` are released.
package final class WebSocketOwner: UpgradedConnection {
    let connection: any WebSocketConnection

    /// Encodes the messages that are values.
    let encoder: JSONEncoder

    package init(_ connection: any WebSocketConnection, encoder: JSONEncoder = JSONEncoder()) {
        (self.connection, self.encoder) = (connection, encoder)
    }

    deinit { connection.abandon() }
}
