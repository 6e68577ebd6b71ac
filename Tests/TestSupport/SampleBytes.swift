package import Foundation

/// Bytes for tests. They are copied from a small block, because generating each byte is slow without optimization.
extension Data {
    private static let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })

    /// Bytes in an order that reveals which are missing, moved or repeated.
    package static func sample(_ count: Int) -> Data {
        var data = Data(capacity: count)
        while data.count < count { data += block.prefix(count - data.count) }
        return data
    }

    /// Incompressible bytes.
    package static func noise(_ count: Int, using random: inout some RandomNumberGenerator) -> Data {
        var words: [UInt64] = []
        while words.count * 8 < count { words.append(random.next()) }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
