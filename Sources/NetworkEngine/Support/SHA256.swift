#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The SHA-256 digest of a sequence of bytes (FIPS 180-4), computed by libcrypto if it is loaded in the process.
package struct SHA256: MessageDigest {
    private var hash = SHA256Blocks.start
    private var buffer = BlockBuffer(size: 64)

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var hash = hash
        buffer.append(bytes) { hash = LibcryptoSHA256.shared?.hash(hash, $0) ?? SHA256Blocks.hash(hash, $0) }
        self.hash = hash
    }

    package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hasher = SHA256()
        Array(bytes).withUnsafeBytes { hasher.update($0) }
        return hasher.digest
    }

    /// The digest of the bytes so far, as 32 bytes.
    package var digest: [UInt8] {
        var copy = self
        let length = (0..<8).map { UInt8(truncatingIfNeeded: (buffer.count &* 8) >> (56 - 8 * $0)) }
        (buffer.padding(before: 8) + length).withUnsafeBytes { copy.update($0) }
        return (0..<32).map { UInt8(truncatingIfNeeded: copy.hash[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
    }

    /// The digest of the bytes so far, as 64 digits.
    package var hexadecimal: String { digest.hexadecimal }
}

/// SHA-256 with libcrypto, which uses the processor's SHA instructions and is many times faster.
package struct LibcryptoSHA256: Sendable {
    /// `SHA256_CTX`, which starts with the hash, and some spare space.
    private struct Context {
        var hash: SIMD8<UInt32>
        var rest = (SIMD16<UInt32>.zero, SIMD16<UInt32>.zero)
    }

    private typealias Update =
        @Sendable @convention(c) (_ context: UnsafeMutableRawPointer, _ bytes: UnsafeRawPointer, _ count: Int) -> Int32

    private let update: Update

    /// `nil` if the process has no libcrypto, or one with different results than the code below.
    static let shared: LibcryptoSHA256? = {
        #if os(Linux)
        // FoundationNetworking's libcurl loads it.
        guard let library = dlopen(nil, RTLD_NOW), let update = dlsym(library, "SHA256_Update") else { return nil }
        let found = LibcryptoSHA256(update: unsafeBitCast(update, to: Update.self))
        let block: [UInt8] = Array(0..<128)
        let isRight = block.withUnsafeBytes {
            found.hash(SHA256Blocks.start, $0) == SHA256Blocks.hash(SHA256Blocks.start, $0)
        }
        return isRight ? found : nil
        #else
        return nil
        #endif
    }()

    /// The hash after blocks of 64 bytes; `nil` if libcrypto fails.
    func hash(_ hash: SIMD8<UInt32>, _ blocks: UnsafeRawBufferPointer) -> SIMD8<UInt32>? {
        guard let start = blocks.baseAddress else { return hash }
        var context = Context(hash: hash)
        return update(&context, start, blocks.count) == 1 ? context.hash : nil
    }
}

/// The SHA-256 hash computation on whole blocks (FIPS 180-4, 6.2.2).
package enum SHA256Blocks {
    /// The initial hash.
    static let start: SIMD8<UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The hash after blocks of 64 bytes.
    static func hash(_ hash: SIMD8<UInt32>, _ blocks: UnsafeRawBufferPointer) -> SIMD8<UInt32> {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            var hash = hash
            for offset in stride(from: 0, to: blocks.count, by: 64) {
                let block = UnsafeRawBufferPointer(rebasing: blocks[offset..<offset + 64])
                fill(schedule, from: block)
                hash = rounds(hash, schedule)
            }
            return hash
        }
    }

    private static func fill(_ schedule: UnsafeMutableBufferPointer<UInt32>, from block: UnsafeRawBufferPointer) {
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let first = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
            let second = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
    }

    private static func rounds(_ hash: SIMD8<UInt32>, _ schedule: UnsafeMutableBufferPointer<UInt32>) -> SIMD8<UInt32> {
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        constants.withUnsafeBufferPointer { constants in
            for index in 0..<64 {
                let mixed = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
                let first = h &+ mixed &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ schedule[index]
                let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ ((a & b) ^ (a & c) ^ (b & c))
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            }
        }
        return hash &+ [a, b, c, d, e, f, g, h]
    }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 &- count) }
}

extension [UInt8] {
    /// The bytes as pairs of lowercase hexadecimal digits.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// Returns `nil` unless the text consists of pairs of hexadecimal digits.
    init?(hexadecimal digits: String) {
        let values = digits.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
        let nibbles = values.compactMap(\.self)
        self = stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
