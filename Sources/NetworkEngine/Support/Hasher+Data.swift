package import Foundation

extension Hasher {
    /// Combines all bytes. The hash of `Data` itself is that of the count and the first bytes.
    package mutating func combine(all data: Data) {
        combine(data.count)
        data.withUnsafeBytes { combine(bytes: $0) }
    }
}
