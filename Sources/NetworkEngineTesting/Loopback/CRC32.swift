/// The checksum of gzip.
package enum CRC32 {
    private static let polynomial: UInt32 = 0xEDB8_8320

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ polynomial }
    }

    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }

    /// The checksum of so many zeros, in logarithmic time: the effect of one zero byte, squared again and again.
    package static func ofZeros(count: Int) -> UInt32 {
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

    /// A linear map, given by what it makes of each bit.
    private static func apply(_ map: [UInt32], to value: UInt32) -> UInt32 {
        map.indices.reduce(0) { value >> UInt32($1) & 1 == 0 ? $0 : $0 ^ map[$1] }
    }
}
