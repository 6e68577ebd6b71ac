import Foundation

/// Finds a few bytes in many, looking at about one in as many as are searched for (Horspool's algorithm).
struct ByteSearch {
    private let pattern: [UInt8]
    /// How far the pattern may move when a byte stands below its last place.
    private let shifts: [Int]

    init(for text: String) {
        pattern = Array(text.utf8)
        var shifts = [Int](repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { shifts[Int(byte)] = pattern.count - 1 - index }
        self.shifts = shifts
    }

    func isIn(_ data: Data) -> Bool {
        guard let lastByte = pattern.last else { return true }
        return data.withUnsafeBytes { bytes in
            var end = pattern.count - 1
            while end < bytes.count {
                let byte = bytes[end]
                if byte == lastByte, bytes[(end + 1 - pattern.count)...end].elementsEqual(pattern) { return true }
                end += shifts[Int(byte)]
            }
            return false
        }
    }
}
