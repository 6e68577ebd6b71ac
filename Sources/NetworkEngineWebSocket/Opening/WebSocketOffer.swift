package import Foundation

/// The WebSocket that an exchange requests.
package struct WebSocketOffer: Sendable {
    /// The subprotocols in order of preference.
    var protocols: [String]
    var options: WebSocketOptions
    var clock: any Clock<Duration>
    /// Encodes values sent as messages.
    package var encoder: JSONEncoder

    package init(
        protocols: [String] = [],
        options: WebSocketOptions = WebSocketOptions(),
        clock: any Clock<Duration> = ContinuousClock(),
        encoder: JSONEncoder = JSONEncoder()
    ) {
        (self.protocols, self.options, self.clock, self.encoder) = (protocols, options, clock, encoder)
    }
}
