import NetworkEngine

/// A protocol rule or a limit that the other end has violated.
package struct WebSocketFault: Error, Hashable, Sendable {
    /// The code of the close frame that reports the fault.
    let code: UInt16
    let reason: String

    static func violation(_ reason: String) -> Self { Self(code: 1002, reason: reason) }
    static let invalidCompression = Self(code: 1007, reason: "a message is compressed in an invalid way")
    static let invalidText = Self(code: 1007, reason: "a text is not valid UTF-8")

    static func tooLarge(limit: Int) -> Self {
        Self(code: 1009, reason: "a message is larger than the limit of \(limit) bytes")
    }
}
