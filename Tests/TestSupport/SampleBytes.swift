package import Foundation

/// Bytes for tests. They are copied from a few that were made one by one, which takes long without optimization.
extension Data {
    private static let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })

    /// Bytes whose order shows what is missing, moved or repeated.
    package static func sample(_ count: Int) -> Data {
        var data = Data(capacity: count)
        while data.count < count { data += block.prefix(count - data.count) }
        return data
    }

    /// Bytes that no coding makes shorter.
    package static func noise(_ count: Int, using random: inout some RandomNumberGenerator) -> Data {
        var words: [UInt64] = []
        while words.count * 8 < count { words.append(random.next()) }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
