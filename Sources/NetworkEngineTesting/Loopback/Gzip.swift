import Foundation

/// Produces gzip data without a library: stored bytes, or a bomb of zeros.
enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Returns a valid member that holds the bytes uncompressed.
    static func stored(_ data: Data) -> Data {
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

    /// Returns a valid member that expands to zeros, about a thousand times its size.
    static func zeros(count: Int) -> Data {
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

    /// Writes the header of the final block with custom codes (RFC 1951, 3.2.7): a run is `0`, its distance `0`, a zero
    /// `10`, the end `11`.
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

    /// Writes bits from the lowest one up, as deflate requires. Huffman codes are passed with their bits reversed.
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

enum CRC32 {
    private static let polynomial: UInt32 = 0xEDB8_8320

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial }
    }

    /// The checksum of the given bytes. Uses pointers because tests are not optimized and their bodies are large.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.withContiguousStorageIfAvailable(of) ?? of(Array(bytes))
    }

    private static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        guard let start = bytes.baseAddress else { return 0 }
        return table.withUnsafeBufferPointer { table in
            guard let steps = table.baseAddress else { return 0 }
            var value: UInt32 = ~0
            var index = 0
            while index < bytes.count {
                value = steps[Int((value ^ UInt32(start[index])) & 0xFF)] ^ value >> 8
                index += 1
            }
            return ~value
        }
    }

    /// The checksum of zeros, in logarithmic time: the effect of one zero byte, squared repeatedly.
    static func ofZeros(count: Int) -> UInt32 {
        var step: [UInt32] = (0..<32).map { bit in
            let value = UInt32(1) << UInt32(bit)
            return table[Int(UInt8(truncatingIfNeeded: value))] ^ value >> 8
        }
        var value: UInt32 = ~0
        var left = count
        while left > 0 {
            if left & 1 == 1 { value = apply(step, to: value) }
            step = step.map { apply(step, to: $0) }
            left >>= 1
        }
        return ~value
    }

    /// Applies a linear map, given by its result for each bit.
    private static func apply(_ map: [UInt32], to value: UInt32) -> UInt32 {
        map.indices.reduce(0) { value >> UInt32($1) & 1 == 0 ? $0 : $0 ^ map[$1] }
    }
}

/// A flaw in a compressed body.
public enum LoopbackGzipFlaw: Sendable, Hashable, CaseIterable {
    /// The data is valid.
    case none
    /// The data ends before the last block does. The declared length is the number of bytes sent.
    case truncated
    /// The checksum does not match the content.
    case checksum
    /// Invalid bytes are in the middle of the data.
    case corrupted
    /// The content is not compressed, although the header says so.
    case plain
    /// Additional bytes follow the data.
    case trailingBytes
}

extension LoopbackResponse {
    /// Compresses the body and sets `Content-Encoding`.
    public func gzipped(_ flaw: LoopbackGzipFlaw = .none) -> Self {
        guard case .data(let content) = body else { return self }
        var copy = header("Content-Encoding", "gzip")
        copy.body = .data(Self.gzip(content, flaw))
        return copy
    }

    /// Answers with compressed zeros, about a thousandth of their size on the wire.
    public static func gzipBomb(_ count: Int = 64 << 20) -> Self {
        data(Gzip.zeros(count: count)).header("Content-Encoding", "gzip")
    }

    private static func gzip(_ content: Data, _ flaw: LoopbackGzipFlaw) -> Data {
        var member = Gzip.stored(content)
        switch flaw {
        case .none: break
        // Removes checksum, length, and the second half of the content.
        case .truncated: member.removeLast(8 + content.count / 2)
        case .checksum: member[member.endIndex - 8] ^= 0xFF
        // The length of the first block no longer matches its complement.
        case .corrupted: member[member.startIndex + 13] ^= 0xFF
        case .plain: return content
        case .trailingBytes: member.append(Data("junk".utf8))
        }
        return member
    }
}
