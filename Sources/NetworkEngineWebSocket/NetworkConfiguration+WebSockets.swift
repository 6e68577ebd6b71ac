public import NetworkEngine

extension NetworkConfiguration {
    /// The limits of WebSockets, and their pings.
    public var webSockets: WebSocketOptions {
        get { parts[WebSocketOptions.self] ?? WebSocketOptions() }
        set { parts[WebSocketOptions.self] = newValue }
    }
}
