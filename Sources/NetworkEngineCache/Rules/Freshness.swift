import Foundation

/// The freshness lifetime and the current age of a stored response, in seconds (RFC 9111, 4.2).
struct Freshness: Hashable, Sendable {
    let lifetime: Double
    let age: Double
    /// Whether the lifetime is estimated from `Last-Modified`.
    let isHeuristic: Bool
    /// Whether the response appears to come from the future because the clock was set back. Its age is unknown.
    let isFromFuture: Bool

    init(of response: StoredResponse, at now: Date) {
        let basis = response.freshness
        let residence = now.timeIntervalSince(response.responseTime)
        (lifetime, isHeuristic) = (basis.lifetime, basis.isHeuristic)
        age = basis.initialAge + max(0, residence)
        isFromFuture = residence < -Self.tolerance
    }

    var isFresh: Bool { lifetime > age && !isFromFuture }

    /// The time since the response became stale; not positive for a fresh one.
    var staleness: Double { isFromFuture ? .infinity : age - lifetime }

    /// The number of seconds in an `Age` field.
    var ageField: String { String(Int64(min(max(0, age), Double(CacheControl.longest)))) }

    /// How far the clock can be set back without an effect.
    private static let tolerance: Double = 60
}
