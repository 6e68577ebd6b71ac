package import Foundation

/// Finds many texts in bytes, in a single pass.
///
/// The time does not depend on the number of texts, so a recording with thousands of secrets can be searched.
package struct TextFinder: Sendable {
    /// The texts by their first four bytes, longest first.
    private var long: [UInt32: [[UInt8]]] = [:]
    /// The texts with less than four bytes, longest first.
    private var short: [[UInt8]] = []
    /// A bit for each pair of bytes at the start of a text.
    private var pairs: [UInt64] = []

    package init(_ texts: some Sequence<String>) {
        for text in texts where !text.isEmpty {
            let bytes = Array(text.utf8)
            if bytes.count < 4 { short.append(bytes) } else { long[Self.key(bytes), default: []].append(bytes) }
        }
        long = long.mapValues { $0.sorted(byNumber: { -$0.count }) }
        short = short.sorted(byNumber: { -$0.count })
        if long.isEmpty { return }
        pairs = [UInt64](repeating: 0, count: 1 << 10)
        for key in long.keys {
            let pair = Int(key & 0xFFFF)
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
    }

    var isEmpty: Bool { long.isEmpty && short.isEmpty }

    /// The ranges of bytes that texts cover, in order. Overlapping texts share one range.
    package func ranges(in data: Data, limit: Int = .max) -> [Range<Int>] {
        if isEmpty { return [] }
        return data.withUnsafeBytes { bytes in
            var found: [Range<Int>] = []
            for index in bytes.indices {
                guard let length = length(at: index, in: bytes) else { continue }
                let range = index..<(index + length)
                if let last = found.last, range.lowerBound < last.upperBound {
                    found[found.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
                } else if found.count < limit {
                    found.append(range)
                } else {
                    break
                }
            }
            return found
        }
    }

    /// The length of the longest text that starts here.
    private func length(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        let left = bytes.count - index
        if left >= 4, !pairs.isEmpty {
            let pair = Int(bytes[index]) | Int(bytes[index + 1]) << 8
            if pairs[pair >> 6] & (1 << UInt64(pair & 63)) != 0 {
                let key = UInt32(pair) | UInt32(bytes[index + 2]) << 16 | UInt32(bytes[index + 3]) << 24
                let text = long[key]?.first { Self.begins(bytes, at: index, with: $0) }
                if let text { return text.count }
            }
        }
        return short.first { Self.begins(bytes, at: index, with: $0) }?.count
    }

    private static func begins(_ bytes: UnsafeRawBufferPointer, at index: Int, with text: [UInt8]) -> Bool {
        index + text.count <= bytes.count
            && bytes[index..<(index + text.count)].elementsEqual(text)
    }

    /// The first four bytes.
    private static func key(_ bytes: [UInt8]) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
