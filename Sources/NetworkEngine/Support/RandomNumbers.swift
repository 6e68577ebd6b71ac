/// Random numbers for identifiers that don't have to be secret.
///
/// The system's generator calls the kernel for each number. This one calls it once, for the state of xoshiro256**.
package final class RandomNumbers: Sendable {
    private struct State {
        // An odd number, because an all-zero state never changes.
        var (a, b, c, d) = (UInt64.seed | 1, UInt64.seed, UInt64.seed, UInt64.seed)

        mutating func next() -> UInt64 {
            let result = (b &* 5).rotated(by: 7) &* 9
            let shifted = b << 17
            c ^= a
            d ^= b
            b ^= c
            a ^= d
            c ^= shifted
            d = d.rotated(by: 45)
            return result
        }
    }

    private let state = Locked(State())

    package init() {}

    /// Returns the next number.
    package func next() -> UInt64 { state.withLock { $0.next() } }
}

extension UInt64 {
    fileprivate static var seed: UInt64 { .random(in: .min ... .max) }

    fileprivate func rotated(by count: UInt64) -> UInt64 { (self << count) | (self >> (64 - count)) }
}
