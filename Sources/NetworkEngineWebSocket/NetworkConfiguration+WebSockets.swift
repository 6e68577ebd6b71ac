public import NetworkEngine

extension NetworkConfiguration {
    /// The limits and pings of WebSockets.
    public var webSockets: WebSocketOptions {
        get { parts[WebSocketOptions.self] ?? WebSocketOptions() }
        set { parts[WebSocketOptions.self] = newValue }
    }
}
