import NetworkEngine

/// A frame waiting to be sent.
struct OutgoingFrame: Sendable {
    private enum Content: Sendable {
        case bytes([UInt8])
        /// A message becomes a frame only when it is its turn, so that waiting messages are not copied.
        case message(WebSocketMessage, from: WebSocketFrame.Role)
    }

    private let content: Content
    /// Settled when the bytes are sent; `nil` for control frames.
    let receipt: OneShot<Result<Void, NetworkError>>?
    /// Whether this is the last frame.
    let isClose: Bool

    /// The number of bytes, without a message's header.
    var size: Int {
        switch content {
        case .bytes(let bytes): bytes.count
        case .message(let message, _): message.size
        }
    }

    /// The message; `nil` for a control frame.
    var message: WebSocketMessage? {
        if case .message(let message, _) = content { message } else { nil }
    }

    /// Appends the bytes.
    ///
    /// - Parameter deflater: compresses the message; `nil` to send it uncompressed.
    func add(to bytes: inout [UInt8], deflatedBy deflater: MessageDeflater? = nil) {
        switch content {
        case .bytes(let own): if bytes.isEmpty { bytes = own } else { bytes += own }
        case .message(let message, let role): message.addFrame(to: &bytes, from: role, deflatedBy: deflater)
        }
    }

    var withoutReceipt: Self { Self(content: content, receipt: nil, isClose: isClose) }
}

extension OutgoingFrame {
    static func message(
        _ message: WebSocketMessage,
        _ receipt: OneShot<Result<Void, NetworkError>>,
        from role: WebSocketFrame.Role
    ) -> Self {
        Self(content: .message(message, from: role), receipt: receipt, isClose: false)
    }

    static func control(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8], from role: WebSocketFrame.Role) -> Self {
        Self(content: .bytes(WebSocketFrame.bytes(opcode, payload, from: role)), receipt: nil, isClose: false)
    }

    static func close(_ close: WebSocketClose?, from role: WebSocketFrame.Role) -> Self {
        Self(content: .bytes(WebSocketFrame.bytes(close, from: role)), receipt: nil, isClose: true)
    }
}
