package import Foundation

/// The WebSocket that an exchange asks for.
package struct WebSocketOffer: Sendable {
    /// The names of the protocols above WebSocket, preferred ones first.
    var protocols: [String]
    var options: WebSocketOptions
    var clock: any Clock<Duration>
    /// Encodes the messages that are values.
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
