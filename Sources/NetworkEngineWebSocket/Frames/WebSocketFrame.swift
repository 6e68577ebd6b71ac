import Foundation
import NetworkEngine

/// Encodes frames (RFC 6455, 5.2).
package enum WebSocketFrame {
    /// The type of a frame.
    enum Opcode: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue & 8 != 0 }
    }

    /// The end of a connection that writes a frame.
    package enum Role: Hashable, Sendable {
        /// Masks its frames.
        case client
        case server
    }

    /// Appends a whole message as one frame.
    ///
    /// - Parameters:
    ///   - isCompressed: whether the payload is a compressed message.
    ///   - mask: the masking key of a client's frame, which a server cannot predict.
    static func add(
        _ opcode: Opcode,
        _ payload: some Collection<UInt8>,
        to bytes: inout [UInt8],
        from role: Role,
        isCompressed: Bool = false,
        mask: UInt32 = .random(in: .min ... .max)
    ) {
        let count = payload.count
        let flag: UInt8 = role == .client ? 0x80 : 0
        if bytes.isEmpty { bytes.reserveCapacity(count + 14) }
        bytes.append(0x80 | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        switch count {
        case 0..<126: bytes.append(flag | UInt8(count))
        case 126..<1 << 16:
            bytes.append(flag | 126)
            bytes.append(bigEndian: UInt64(count), size: 2)
        default:
            bytes.append(flag | 127)
            bytes.append(bigEndian: UInt64(count), size: 8)
        }
        guard role == .client else {
            bytes.append(contentsOf: payload)
            return
        }
        bytes.append(bigEndian: UInt64(mask), size: 4)
        let start = bytes.count
        bytes.append(contentsOf: payload)
        WebSocketMask(mask).apply(to: &bytes, from: start)
    }

    /// The bytes of a whole message in one frame.
    static func bytes(
        _ opcode: Opcode,
        _ payload: some Collection<UInt8>,
        from role: Role,
        mask: UInt32 = .random(in: .min ... .max)
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        add(opcode, payload, to: &bytes, from: role, mask: mask)
        return bytes
    }

    package static func bytes(_ message: WebSocketMessage, from role: Role) -> [UInt8] {
        var bytes: [UInt8] = []
        message.addFrame(to: &bytes, from: role)
        return bytes
    }

    static func bytes(_ close: WebSocketClose?, from role: Role) -> [UInt8] {
        var payload: [UInt8] = []
        if let close, close.code != 1005 {
            payload.append(bigEndian: UInt64(close.code), size: 2)
            payload.append(contentsOf: close.reason.utf8)
        }
        return bytes(.close, payload, from: role)
    }
}

/// The key that a client combines with a frame's bytes, so that no proxy mistakes them for a request.
struct WebSocketMask: Hashable, Sendable {
    private let key: UInt32

    init(_ key: UInt32) { self.key = key }

    /// Combines the key with the bytes from an index on. Applying it twice restores the bytes.
    ///
    /// - Parameter offset: the number of preceding bytes in the frame.
    func apply(to bytes: inout [UInt8], from start: Int, offset: Int = 0) {
        let shift = UInt32(offset & 3) * 8
        let turned = shift == 0 ? key : key << shift | key >> (32 - shift)
        bytes.withUnsafeMutableBytes { bytes in
            let wide = (UInt64(turned) << 32 | UInt64(turned)).bigEndian
            var index = start
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < bytes.count {
                bytes[index] ^= UInt8(truncatingIfNeeded: turned >> (24 - 8 * UInt32((index - start) & 3)))
                index += 1
            }
        }
    }
}

extension WebSocketMessage {
    /// Appends this message as one frame.
    ///
    /// - Parameter deflater: compresses it; `nil` to send it uncompressed.
    func addFrame(to bytes: inout [UInt8], from role: WebSocketFrame.Role, deflatedBy deflater: MessageDeflater? = nil)
    {
        switch self {
        case .text(var text):
            if let deflater, let payload = text.withUTF8({ deflater.deflate($0) }) {
                WebSocketFrame.add(.text, payload, to: &bytes, from: role, isCompressed: true)
            } else {
                WebSocketFrame.add(.text, text.utf8, to: &bytes, from: role)
            }
        case .data(let data):
            let payload = deflater.flatMap { deflater in
                data.withUnsafeBytes { deflater.deflate($0.bindMemory(to: UInt8.self)) }
            }
            if let payload {
                WebSocketFrame.add(.binary, payload, to: &bytes, from: role, isCompressed: true)
            } else {
                WebSocketFrame.add(.binary, data, to: &bytes, from: role)
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt64, size: Int) {
        for index in (0..<size).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }
}
