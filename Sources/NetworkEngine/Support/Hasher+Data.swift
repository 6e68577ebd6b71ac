package import Foundation

extension Hasher {
    /// Combines all bytes. `Data` itself hashes only its count and first bytes.
    package mutating func combine(all data: Data) {
        combine(data.count)
        data.withUnsafeBytes { combine(bytes: $0) }
    }
}
