import NetworkEngine

/// The SHA-1 digest of a sequence of bytes (FIPS 180-4), for protocols that require it.
///
/// SHA-1 does not protect against forgery.
package struct SHA1: MessageDigest {
    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    private var buffer = BlockBuffer(size: 64)

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        buffer.append(bytes) { blocks in
            for offset in stride(from: 0, to: blocks.count, by: 64) {
                Self.round(&state, UnsafeRawBufferPointer(rebasing: blocks[offset..<offset + 64]))
            }
        }
        self.state = state
    }

    /// The digest of the bytes so far, as 20 bytes.
    package var digest: [UInt8] {
        var copy = self
        let length = (0..<8).map { UInt8(truncatingIfNeeded: (buffer.count &* 8) >> (56 - 8 * $0)) }
        (buffer.padding(before: 8) + length).withUnsafeBytes { copy.update($0) }
        return copy.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private static func round(_ state: inout [UInt32], _ block: UnsafeRawBufferPointer) {
        var words = (0..<16).map { UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(mixed << 1 | mixed >> 31)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch index / 20 {
                case 0: ((b & c) | (~b & d), 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let sum = (a << 5 | a >> 27) &+ mixed &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, b << 30 | b >> 2, a, sum)
        }
        state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
    }
}
