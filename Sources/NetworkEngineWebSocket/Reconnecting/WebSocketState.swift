public import NetworkEngine

/// The state of a WebSocket that is opened again when its connection is lost.
public enum WebSocketState: Sendable {
    /// A connection is being opened, and the closure runs.
    case connecting
    /// Messages can be sent.
    case open
    /// No connection is open. The next one is opened after a pause.
    case waiting(Duration, after: NetworkError)
    /// No other connection is opened. The error is `nil` after a normal end.
    case closed(NetworkError?)
}
