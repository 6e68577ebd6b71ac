public import NetworkEngine

/// The state of a reconnecting WebSocket.
public enum WebSocketState: Sendable {
    /// A connection is being opened, and the closure runs.
    case connecting
    /// Messages can be sent.
    case open
    /// No connection is open. The next one is opened after a delay.
    case waiting(Duration, after: NetworkError)
    /// No further connection is opened. The error is `nil` after a normal close.
    case closed(NetworkError?)
}
