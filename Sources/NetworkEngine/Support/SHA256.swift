/// The SHA-256 digest of bytes that come in pieces (FIPS 180-4); by libcrypto where there is one.
package struct SHA256: Sendable {
    private var hash = SHA256Blocks.start
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = rest.prefix(64 - pending.count)
            pending += missing
            rest = rest.dropFirst(missing.count)
            guard pending.count == 64 else { return }
            let block = pending
            block.withUnsafeBytes { compress($0) }
            pending = []
        }
        let blocks = rest.prefix(rest.count / 64 * 64)
        compress(UnsafeRawBufferPointer(rebasing: blocks))
        pending += rest.dropFirst(blocks.count)
    }

    /// The digest of some bytes.
    package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var hasher = SHA256()
        Array(bytes).withUnsafeBytes { hasher.update($0) }
        return hasher.digest
    }

    /// The digest of what came so far, as 32 bytes.
    package var digest: [UInt8] {
        var copy = self
        let padding = [0x80] + [UInt8](repeating: 0, count: (119 - Int(count % 64)) % 64)
        let length = (0..<8).map { UInt8(truncatingIfNeeded: (count * 8) >> (56 - 8 * $0)) }
        (padding + length).withUnsafeBytes { copy.update($0) }
        return (0..<32).map { UInt8(truncatingIfNeeded: copy.hash[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
    }

    /// The digest of what came so far, as 64 digits.
    package var hexadecimal: String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        hash = LibcryptoSHA256.shared?.hash(hash, blocks) ?? SHA256Blocks.hash(hash, blocks)
    }
}
