import NetworkEngine

/// Decompresses the other end's messages, piece by piece.
final class MessageInflater {
    private let zlib: Zlib.Functions<Zlib.BeginInflating>
    /// Allocated, because zlib stores the address.
    private let stream: UnsafeMutablePointer<Zlib.Stream>
    private let scratch: UnsafeMutableBufferPointer<UInt8>
    private let keepsContext: Bool
    /// Whether a byte of the current message has arrived.
    private var hasBegun = false

    /// Returns `nil` if the system has no zlib or no memory.
    init?(_ side: CompressionTerms.Side) {
        guard let zlib = Zlib.inflating else { return nil }
        stream = .allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        scratch = .allocate(capacity: 8 << 10)
        (self.zlib, keepsContext) = (zlib, side.keepsContext)
        // Some compressors exceed an 8-bit window. In zlib, a negative size means data without a header.
        let windowBits = Int32(-min(max(9, side.windowBits), 15))
        let code = zlib.begin(stream, windowBits, "1", Int32(MemoryLayout<Zlib.Stream>.size))
        if code != 0 { return nil }
    }

    deinit {
        _ = zlib.end(stream)
        stream.deallocate()
        scratch.deallocate()
    }

    /// Decompresses the next bytes of a message.
    ///
    /// - Parameter limit: the maximum message size in bytes.
    func inflate(
        _ bytes: ArraySlice<UInt8>,
        into message: inout [UInt8],
        limit: Int
    ) throws(WebSocketFault) {
        var rest = bytes
        while !rest.isEmpty {
            hasBegun = true
            let piece = rest.prefix(1 << 30)
            if let fault = run(piece, into: &message, limit: limit) { throw fault }
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Ends a message.
    func finish(into message: inout [UInt8], limit: Int) throws(WebSocketFault) {
        guard hasBegun else { return }
        hasBegun = false
        // The sender omits the empty block that ends a message (RFC 7692, 7.2.2).
        let size = message.count
        if let fault = run([0, 0, 0xFF, 0xFF], into: &message, limit: limit) { throw fault }
        // zlib sets this bit between two blocks.
        let isWhole = message.count == size && stream.pointee.kind & 128 != 0
        guard isWhole, keepsContext || zlib.reset(stream) == 0 else { throw .invalidCompression }
    }

    private func run(_ bytes: ArraySlice<UInt8>, into message: inout [UInt8], limit: Int) -> WebSocketFault? {
        let (going, ended, stuck): (Int32, Int32, Int32) = (0, 1, -5)
        return bytes.withUnsafeBufferPointer { bytes in
            stream.pointee.input = bytes.baseAddress
            stream.pointee.inputCount = UInt32(bytes.count)
            while true {
                stream.pointee.output = scratch.baseAddress
                stream.pointee.outputCount = UInt32(scratch.count)
                let code = zlib.step(stream, 0)
                let left = Int(stream.pointee.outputCount)
                message.append(contentsOf: scratch[..<(scratch.count - left)])
                guard message.count <= limit else { return .tooLarge(limit: limit) }
                switch code {
                case ended:
                    // A block marked as the last one does not end a message: more blocks may follow.
                    guard continueAfterEnd() else { return .invalidCompression }
                    if stream.pointee.inputCount == 0 { return nil }
                case going where left == 0: continue
                case going, stuck: return nil
                default: return .invalidCompression
                }
            }
        }
    }

    private func continueAfterEnd() -> Bool {
        // The next block may refer to earlier bytes.
        (Self.resetKeepingWindow ?? zlib.reset)(stream) == 0
    }

    private static let resetKeepingWindow = Zlib.function("inflateResetKeep", as: Zlib.Action.self)
}
