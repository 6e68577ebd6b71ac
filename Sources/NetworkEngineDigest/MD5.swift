import Foundation
import NetworkEngine

/// The MD5 digest of a sequence of bytes (RFC 1321), for protocols that require it.
///
/// MD5 does not protect against forgery.
package struct MD5: MessageDigest {
    private var state: SIMD4<UInt32> = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    private var buffer = BlockBuffer(size: 64)

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        buffer.append(bytes) { state = Self.state(state, after: $0) }
        self.state = state
    }

    /// The digest of the bytes so far, as 16 bytes.
    package var digest: [UInt8] {
        var copy = self
        let length = (0..<8).map { UInt8(truncatingIfNeeded: (buffer.count &* 8) >> (8 * $0)) }
        (buffer.padding(before: 8) + length).withUnsafeBytes { copy.update($0) }
        return (0..<16).map { UInt8(truncatingIfNeeded: copy.state[$0 / 4] >> UInt32(8 * ($0 % 4))) }
    }

    private static func state(_ state: SIMD4<UInt32>, after blocks: UnsafeRawBufferPointer) -> SIMD4<UInt32> {
        stride(from: 0, to: blocks.count, by: 64).reduce(state) { state, offset in
            rounds(state, UnsafeRawBufferPointer(rebasing: blocks[offset..<offset + 64]))
        }
    }

    private static func rounds(_ state: SIMD4<UInt32>, _ block: UnsafeRawBufferPointer) -> SIMD4<UInt32> {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        sines.withUnsafeBufferPointer { sines in
            for index in 0..<64 {
                let (mixed, word): (UInt32, Int) =
                    switch index / 16 {
                    case 0: ((b & c) | (~b & d), index)
                    case 1: ((d & b) | (~d & c), (5 * index + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * index + 5) % 16)
                    default: (c ^ (b | ~d), 7 * index % 16)
                    }
                let value = UInt32(littleEndian: block.loadUnaligned(fromByteOffset: 4 * word, as: UInt32.self))
                let sum = a &+ mixed &+ sines[index] &+ value
                let shift = shifts[index / 16][index % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 &- shift)))
            }
        }
        return state &+ [a, b, c, d]
    }

    private static let shifts: [SIMD4<UInt32>] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]
    /// The constants of the algorithm, which are defined by sines.
    private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
