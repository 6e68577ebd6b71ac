/// A checksum that detects damaged bytes: XXH64 with the seed 0.
///
/// It does not detect deliberate changes.
struct Checksum: Sendable {
    private var lanes: SIMD4<UInt64> = [prime1 &+ prime2, prime2, 0, 0 &- prime1]
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    init() {}

    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var checksum = Checksum()
        Array(bytes).withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var start = 0
        if !pending.isEmpty {
            start = min(32 - pending.count, bytes.count)
            pending += bytes[..<start]
            guard pending.count == 32 else { return }
            let block = pending
            block.withUnsafeBytes { consume($0, at: 0) }
            pending.removeAll(keepingCapacity: true)
        }
        while bytes.count - start >= 32 {
            consume(bytes, at: start)
            start += 32
        }
        pending += bytes[start...]
    }

    var value: UInt64 {
        var hash = Self.prime5
        if count >= 32 {
            hash = lanes[0].rotated(1) &+ lanes[1].rotated(7) &+ lanes[2].rotated(12) &+ lanes[3].rotated(18)
            for lane in 0..<4 {
                hash = (hash ^ Self.round(0, lanes[lane])) &* Self.prime1 &+ Self.prime4
            }
        }
        hash &+= count
        pending.withUnsafeBytes { rest in
            var index = 0
            while rest.count - index >= 8 {
                hash ^= Self.round(0, Self.word(rest, at: index))
                hash = hash.rotated(27) &* Self.prime1 &+ Self.prime4
                index += 8
            }
            if rest.count - index >= 4 {
                let word = UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: index, as: UInt32.self))
                hash ^= UInt64(word) &* Self.prime1
                hash = hash.rotated(23) &* Self.prime2 &+ Self.prime3
                index += 4
            }
            for byte in rest[index...] {
                hash ^= UInt64(byte) &* Self.prime5
                hash = hash.rotated(11) &* Self.prime1
            }
        }
        hash = (hash ^ (hash >> 33)) &* Self.prime2
        hash = (hash ^ (hash >> 29)) &* Self.prime3
        return hash ^ (hash >> 32)
    }

    private mutating func consume(_ bytes: UnsafeRawBufferPointer, at index: Int) {
        for lane in 0..<4 { lanes[lane] = Self.round(lanes[lane], Self.word(bytes, at: index + 8 * lane)) }
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        (lane &+ word &* prime2).rotated(31) &* prime1
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
}

extension UInt64 {
    fileprivate func rotated(_ count: UInt64) -> UInt64 { self << count | self >> (64 &- count) }
}
