import NetworkEngine

/// A rule of the protocol or a limit that the other end has broken.
package struct WebSocketFault: Error, Hashable, Sendable {
    /// The code of the close frame that reports the fault.
    package let code: UInt16
    package let reason: String

    package static func violation(_ reason: String) -> Self { Self(code: 1002, reason: reason) }
    package static let invalidCompression = Self(code: 1007, reason: "a message is compressed in an invalid way")
    package static let invalidText = Self(code: 1007, reason: "a text is not valid UTF-8")

    package static func tooLarge(limit: Int) -> Self {
        Self(code: 1009, reason: "a message is larger than the limit of \(limit) bytes")
    }
}
