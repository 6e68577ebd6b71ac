import NetworkEngine

/// The WebSocket that an exchange asks for.
package struct WebSocketOffer: Sendable {
    /// The names of the protocols above WebSocket, preferred ones first.
    package var protocols: [String]
    package var options: WebSocketOptions
    package var clock: any Clock<Duration>

    package init(
        protocols: [String] = [],
        options: WebSocketOptions = WebSocketOptions(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.protocols, self.options, self.clock) = (protocols, options, clock)
    }
}
