package import Foundation

/// Gzip made by hand: bytes stored as they are, or a bomb of zeros.
package enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// A valid member that holds the bytes uncompressed.
    package static func stored(_ data: Data) -> Data {
        var member = Data(header)
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            member.append(rest.isEmpty ? 1 : 0)
            append(size, to: &member)
            append(~size, to: &member)
            member.append(block)
        } while !rest.isEmpty
        append(CRC32.of(data), to: &member)
        append(UInt32(truncatingIfNeeded: data.count), to: &member)
        return member
    }

    /// A valid member of zeros, about a thousandth of what it becomes.
    package static func zeros(count: Int) -> Data {
        var bits = BitWriter()
        writeBlockHeader(to: &bits)
        // One literal, then runs of 258 at two bits each, then single zeros.
        let runs = count > 0 ? (count - 1) / 258 : 0
        let literals = count - runs * 258
        if count > 0 { bits.write(0b01, 2) }
        for _ in 0..<runs { bits.write(0b00, 2) }
        for _ in 1..<max(1, literals) { bits.write(0b01, 2) }
        bits.write(0b11, 2)
        var member = Data(header)
        member.append(contentsOf: bits.finish())
        append(CRC32.ofZeros(count: count), to: &member)
        append(UInt32(truncatingIfNeeded: count), to: &member)
        return member
    }

    /// The last block, with codes of its own (RFC 1951, 3.2.7): a run is `0`, its distance `0`, a zero `10`, the end `11`.
    private static func writeBlockHeader(to bits: inout BitWriter) {
        bits.write(1, 1)
        bits.write(2, 2)
        bits.write(286 - 257, 5)
        bits.write(0, 5)
        // Lengths of the codes for code lengths, in the order of the RFC: 18 has one bit, 2 and 1 have two.
        bits.write(18 - 4, 4)
        for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { bits.write(length, 3) }
        let (skip, one, two) = (0b0, 0b01, 0b11)
        bits.write(two, 2)
        for count in [138, 117] { bits.write(skip, 1); bits.write(count - 11, 7) }
        bits.write(two, 2)
        bits.write(skip, 1)
        bits.write(28 - 11, 7)
        bits.write(one, 2)
        bits.write(one, 2)
    }

    private static func append(_ value: some FixedWidthInteger, to data: inout Data) {
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }

    /// Bits from the lowest one up, as deflate wants them; Huffman codes are given with their bits reversed.
    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var current = 0
        private var filled = 0

        mutating func write(_ value: Int, _ count: Int) {
            current |= value << filled
            filled += count
            while filled >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: current))
                current >>= 8
                filled -= 8
            }
        }

        mutating func finish() -> [UInt8] {
            if filled > 0 { write(0, 8 - filled) }
            return bytes
        }
    }
}
