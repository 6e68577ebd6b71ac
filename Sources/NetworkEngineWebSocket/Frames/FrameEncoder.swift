import NetworkEngine

/// Encodes frames in sending order, because a compressed message may refer to earlier ones.
struct FrameEncoder {
    private let role: WebSocketFrame.Role
    /// This end's compressor; `nil` for none.
    private let compression: CompressionTerms.Side?
    /// The minimum size in bytes of a message to compress.
    private let threshold: Int
    /// Created for the first compressed message.
    private var deflater: MessageDeflater?

    init(_ role: WebSocketFrame.Role, _ compression: CompressionTerms.Side?, threshold: Int) {
        (self.role, self.compression, self.threshold) = (role, compression, threshold)
    }

    mutating func bytes(of message: WebSocketMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        message.addFrame(to: &bytes, from: role, deflatedBy: deflater(for: message))
        return bytes
    }

    /// - Returns: the bytes of all frames, and where each frame ends.
    mutating func bytes(of frames: [OutgoingFrame]) -> ([UInt8], ends: [Int]) {
        var bytes: [UInt8] = []
        let ends = frames.map { frame in
            frame.add(to: &bytes, deflatedBy: frame.message.flatMap { deflater(for: $0) })
            return bytes.count
        }
        return (bytes, ends)
    }

    private mutating func deflater(for message: WebSocketMessage) -> MessageDeflater? {
        guard let compression, message.size >= threshold else { return nil }
        deflater = deflater ?? MessageDeflater(compression)
        return deflater
    }
}
