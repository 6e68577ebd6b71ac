import NetworkEngine

/// Compresses one end's messages, in sending order.
final class MessageDeflater {
    private let zlib: Zlib.Functions<Zlib.BeginDeflating>
    /// Allocated, because zlib stores the address.
    private let stream: UnsafeMutablePointer<Zlib.Stream>
    private let keepsContext: Bool
    /// Whether zlib has failed. The other end could not decompress messages that refer to a missing one.
    private var hasFailed = false

    /// Returns `nil` if the system has no zlib or no memory, or does not support the window size. Messages are then
    /// sent uncompressed.
    init?(_ side: CompressionTerms.Side) {
        // zlib does not support an 8-bit window.
        guard let zlib = Zlib.deflating, (9...15).contains(side.windowBits) else { return nil }
        let (level, deflated, memory, standardStrategy): (Int32, Int32, Int32, Int32) = (-1, 8, 5, 0)
        stream = .allocate(capacity: 1)
        stream.initialize(to: Zlib.Stream())
        (self.zlib, keepsContext) = (zlib, side.keepsContext)
        let size = Int32(MemoryLayout<Zlib.Stream>.size)
        // In zlib, a negative size means data without a header.
        let code = zlib.begin(
            stream, level, deflated, Int32(-side.windowBits), memory, standardStrategy, "1", size)
        if code != 0 { return nil }
    }

    deinit {
        _ = zlib.end(stream)
        stream.deallocate()
    }

    /// Compresses a whole nonempty message (RFC 7692, 7.2.1); `nil` if zlib fails.
    ///
    /// Every result must be sent, because the next message may refer to it.
    func deflate(_ message: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard !message.isEmpty, message.count <= Int(clamping: UInt32.max), !hasFailed else { return nil }
        let result = compressed(message)
        hasFailed = result == nil
        return result
    }

    private func compressed(_ message: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        stream.pointee.input = message.baseAddress
        stream.pointee.inputCount = UInt32(message.count)
        var result: [UInt8] = []
        var room = min(message.count / 2 + 64, 1 << 20)
        var isFull = true
        while isFull {
            guard let left = step(&result, room: room) else { return nil }
            isFull = left == 0
            room = min(room * 2, 1 << 20)
        }
        if !keepsContext, zlib.reset(stream) != 0 { return nil }
        // The message ends with an empty block, which is not sent.
        guard result.suffix(4).elementsEqual([0, 0, 0xFF, 0xFF]) else { return nil }
        result.removeLast(4)
        return result
    }

    /// Appends compressed bytes. Returns the remaining space; `nil` if zlib fails.
    private func step(_ result: inout [UInt8], room: Int) -> Int? {
        let (flush, stuck): (Int32, Int32) = (2, -5)
        let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            stream.pointee.output = buffer.baseAddress
            stream.pointee.outputCount = UInt32(room)
            let code = zlib.step(stream, flush)
            count = code == 0 || code == stuck ? room - Int(stream.pointee.outputCount) : 0
            if code != 0, code != stuck { stream.pointee.outputCount = .max }
        }
        let left = stream.pointee.outputCount
        if left == .max { return nil }
        if result.isEmpty { result = piece } else { result += piece }
        return Int(left)
    }
}
