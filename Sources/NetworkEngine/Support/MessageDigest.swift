/// A cryptographic digest of a sequence of bytes that arrives in pieces.
package protocol MessageDigest: Sendable {
    init()

    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// The digest of the bytes so far.
    var digest: [UInt8] { get }
}

extension MessageDigest {
    /// The digest of a UTF-8 text, as lowercase hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        var text = text
        var hasher = Self()
        text.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
        return hasher.digest.hexadecimal
    }
}

/// Collects the bytes of a digest into blocks.
package struct BlockBuffer: Sendable {
    private let size: Int
    private var pending: [UInt8] = []
    /// The number of bytes so far.
    package private(set) var count: UInt64 = 0

    package init(size: Int) { self.size = size }

    /// Adds bytes, and passes on complete blocks.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer,
        _ compress: (_ blocks: UnsafeRawBufferPointer) -> Void
    ) {
        count += UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = rest.prefix(size - pending.count)
            pending += missing
            rest = rest.dropFirst(missing.count)
            guard pending.count == size else { return }
            pending.withUnsafeBytes { compress($0) }
            pending = []
        }
        let blocks = rest.prefix(rest.count / size * size)
        compress(UnsafeRawBufferPointer(rebasing: blocks))
        pending += rest.dropFirst(blocks.count)
    }

    /// The padding after the last byte: a one bit, and zeros up to a length field of this size.
    package func padding(before lengthSize: Int) -> [UInt8] {
        let used = Int(count % UInt64(size)) + 1 + lengthSize
        return [0x80] + [UInt8](repeating: 0, count: (size - used % size) % size)
    }
}
