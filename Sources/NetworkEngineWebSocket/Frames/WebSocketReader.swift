import Foundation
import NetworkEngine

/// Reads the other end's frames (RFC 6455, 5), and joins them into messages.
///
/// A length is checked before its bytes are stored, so that memory grows only with the bytes that have arrived.
package struct WebSocketReader {
    package enum Event: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        /// `nil` for a close frame without a code.
        case close(WebSocketClose?)

        /// The event's memory size.
        var size: Int { if case .message(let message) = self { message.size + 64 } else { 64 } }
    }

    private typealias Opcode = WebSocketFrame.Opcode

    private struct Header {
        let opcode: Opcode
        let isFinal: Bool
        let mask: WebSocketMask?
        let length: Int
    }

    /// The unread bytes, and the index of the first one.
    private var bytes: [UInt8] = []
    private var start = 0
    /// The frame being received, and the number of payload bytes that have arrived.
    private var frame: Header?
    private var received = 0
    private var control: [UInt8] = []
    /// The type of the message being received, and its bytes so far.
    private var kind: Opcode?
    private var message: [UInt8] = []
    private var text = UTF8Check()
    private let isMasked: Bool
    private let limit: Int
    /// The other end's compressor; `nil` if it must not compress.
    private let compression: CompressionTerms.Side?
    /// Created for the first compressed message.
    private var inflater: MessageInflater?
    private var isCompressed = false

    /// - Parameters:
    ///   - role: this end of the connection. A client's frames are masked, a server's are not.
    ///   - limit: the maximum size of a decompressed message in bytes.
    ///   - compression: the other end's compressor; `nil` if it must not compress.
    package init(at role: WebSocketFrame.Role, limit: Int, compression: CompressionTerms.Side? = nil) {
        isMasked = role == .server
        self.limit = limit
        self.compression = compression
    }

    package mutating func add(_ more: [UInt8]) {
        if start == bytes.count { bytes = more } else { bytes = bytes[start...] + more }
        start = 0
    }

    /// Discards the unread bytes.
    mutating func drop() { (bytes, start, message, control) = ([], 0, [], []) }

    /// Returns the next event; `nil` if it needs more bytes.
    package mutating func next() throws(WebSocketFault) -> Event? {
        while true {
            if frame == nil {
                guard let header = try header() else { return nil }
                (frame, received) = (header, 0)
            }
            guard let frame, try take(frame) else { return nil }
            self.frame = nil
            if let event = try event(after: frame) { return event }
        }
    }

    // MARK: Frames

    private mutating func header() throws(WebSocketFault) -> Header? {
        guard bytes.count - start >= 2 else { return nil }
        let (first, second) = (bytes[start], bytes[start + 1])
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .violation("a frame has an unknown opcode") }
        // Only a message's first frame declares that the message is compressed.
        let mayBeCompressed = compression != nil && (opcode == .text || opcode == .binary)
        guard first & (mayBeCompressed ? 0x30 : 0x70) == 0 else {
            throw .violation("a frame uses an extension that was not negotiated")
        }
        guard (second & 0x80 != 0) == isMasked else {
            throw .violation(isMasked ? "a client's frame is not masked" : "a server's frame is masked")
        }
        let isFinal = first & 0x80 != 0
        let short = Int(second & 0x7F)
        if opcode.isControl, !isFinal || short > 125 {
            throw .violation("a control frame is fragmented or larger than 125 bytes")
        }
        let sizeOfLength = short == 126 ? 2 : short == 127 ? 8 : 0
        let size = 2 + sizeOfLength + (isMasked ? 4 : 0)
        guard bytes.count - start >= size else { return nil }
        let length = sizeOfLength == 0 ? UInt64(short) : number(at: start + 2, size: sizeOfLength)
        guard length < 1 << 63 else { throw .violation("a frame has a length of 64 bits") }
        guard sizeOfLength == 0 || length >= (sizeOfLength == 2 ? 126 : 1 << 16) else {
            throw .violation("the length of a frame is not in its shortest form")
        }
        try check(opcode, length: length, isCompressed: first & 0x40 != 0)
        let mask = isMasked ? WebSocketMask(UInt32(number(at: start + 2 + sizeOfLength, size: 4))) : nil
        // The limit does not apply to compressed bytes, and not every length fits into 32 bits.
        guard let length = Int(exactly: length) else { throw .tooLarge(limit: limit) }
        start += size
        return Header(opcode: opcode, isFinal: isFinal, mask: mask, length: length)
    }

    /// Checks that a frame may follow the previous ones, and that its message does not exceed the limit.
    private mutating func check(
        _ opcode: Opcode,
        length: UInt64,
        isCompressed: Bool
    ) throws(WebSocketFault) {
        switch opcode {
        case .continuation where kind == nil: throw .violation("a continuation frame has no message to continue")
        case .text where kind != nil, .binary where kind != nil:
            throw .violation("a message begins inside of another one")
        case .text, .binary: (kind, self.isCompressed) = (opcode, isCompressed)
        case .continuation, .close, .ping, .pong: break
        }
        // The size of a compressed message is known only once it is decompressed.
        guard opcode.isControl || self.isCompressed || length <= UInt64(max(0, limit - message.count)) else {
            throw .tooLarge(limit: limit)
        }
    }

    private func number(at index: Int, size: Int) -> UInt64 {
        bytes[index..<index + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Moves payload bytes to their message. Returns whether the frame is complete.
    ///
    /// Text is validated as it arrives, so that invalid text fails at its first invalid byte.
    private mutating func take(_ frame: Header) throws(WebSocketFault) -> Bool {
        let count = min(frame.length - received, bytes.count - start)
        let payload = bytes[start..<start + count]
        if frame.opcode.isControl {
            control += payload
            frame.mask?.apply(to: &control, from: control.count - count, offset: received)
        } else {
            let known = message.count
            if isCompressed {
                try inflate(payload, frame.mask)
                if frame.isFinal, received + count == frame.length { try endOfCompressed() }
            } else {
                message += payload
                frame.mask?.apply(to: &message, from: known, offset: received)
            }
            if kind == .text, !text.accepts(message, from: known) { throw .invalidText }
        }
        start += count
        received += count
        return received == frame.length
    }

    private mutating func inflate(_ payload: ArraySlice<UInt8>, _ mask: WebSocketMask?) throws(WebSocketFault) {
        guard let compression, let inflater = inflater ?? MessageInflater(compression) else {
            throw WebSocketFault(code: 1011, reason: "there is no memory to decompress a message")
        }
        self.inflater = inflater
        var payload = payload
        if let mask {
            var plain = Array(payload)
            mask.apply(to: &plain, from: 0, offset: received)
            payload = plain[...]
        }
        try inflater.inflate(payload, into: &message, limit: limit)
    }

    private mutating func endOfCompressed() throws(WebSocketFault) {
        try inflater?.finish(into: &message, limit: limit)
    }

    // MARK: Events

    private mutating func event(after frame: Header) throws(WebSocketFault) -> Event? {
        if frame.opcode.isControl {
            defer { control = [] }
            switch frame.opcode {
            case .ping: return .ping(control)
            case .pong: return .pong(control)
            default: return .close(try close())
            }
        }
        guard frame.isFinal, let kind else { return nil }
        defer { (self.kind, message, text, isCompressed) = (nil, [], UTF8Check(), false) }
        if kind == .binary { return .message(.data(Data(message))) }
        guard text.isComplete else { throw .invalidText }
        return .message(.text(String(decoding: message, as: UTF8.self)))
    }

    private func close() throws(WebSocketFault) -> WebSocketClose? {
        if control.isEmpty { return nil }
        guard control.count >= 2 else { throw .violation("a close frame has half of a code") }
        let code = UInt16(control[0]) << 8 | UInt16(control[1])
        guard WebSocketClose.maySend(code) else { throw .violation("a close frame has the reserved code \(code)") }
        var reason = UTF8Check()
        guard reason.accepts(control, from: 2), reason.isComplete else { throw .invalidText }
        return WebSocketClose(code: code, reason: String(decoding: control[2...], as: UTF8.self))
    }
}
