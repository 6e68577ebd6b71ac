package import Foundation

/// The freshness lifetime and the current age of a stored response, in seconds (RFC 9111, 4.2).
package struct Freshness: Hashable, Sendable {
    package let lifetime: Double
    package let age: Double
    /// Whether the lifetime is a guess from `Last-Modified`.
    package let isHeuristic: Bool
    /// Whether the response appears to come from the future, because the clock was set back. Its age is not known.
    package let isFromFuture: Bool

    package init(of response: StoredResponse, at now: Date) {
        self.init(of: response, directives: CacheControl(response: response.headers), at: now)
    }

    package init(of response: StoredResponse, directives: CacheControl, at now: Date) {
        let explicit = Self.explicitLifetime(of: response, directives)
        isHeuristic = explicit == nil
        lifetime = explicit ?? Self.heuristicLifetime(of: response, directives)
        age = Self.age(of: response, at: now)
        isFromFuture = now.timeIntervalSince(response.responseTime) < -Self.tolerance
    }

    package var isFresh: Bool { lifetime > age && !isFromFuture }

    /// The time since the response became stale; not positive for a fresh one.
    package var staleness: Double { isFromFuture ? .infinity : age - lifetime }

    /// The number of seconds in an `Age` field.
    package var ageField: String { String(Int64(min(max(0, age), Double(CacheControl.longest)))) }

    /// A clock may be set back by this time without an effect.
    private static let tolerance: Double = 60
    private static let longestHeuristic: Double = 24 * 60 * 60

    /// The lifetime by `max-age` or `Expires`; `s-maxage` is for shared caches.
    private static func explicitLifetime(of response: StoredResponse, _ directives: CacheControl) -> Double? {
        if let maxAge = directives.maxAge { return Double(maxAge) }
        guard let text = response.headers.values(for: "Expires").first else { return nil }
        // An invalid date, such as 0, is in the past.
        guard let end = HTTPDate.seconds(text) else { return 0 }
        return min(max(0, Double(end) - response.date.timeIntervalSince1970), Double(CacheControl.longest))
    }

    /// A tenth of the time since the last modification.
    private static func heuristicLifetime(of response: StoredResponse, _ directives: CacheControl) -> Double {
        guard directives.isPublic || isHeuristicallyCacheable(response.statusCode),
            let modified = response.headers.values(for: "Last-Modified").first.flatMap(HTTPDate.seconds)
        else { return 0 }
        let sinceChange = response.date.timeIntervalSince1970 - Double(modified)
        return min(max(0, sinceChange / 10), longestHeuristic)
    }

    private static func age(of response: StoredResponse, at now: Date) -> Double {
        let apparentAge = max(0, response.responseTime.timeIntervalSince(response.date))
        let delay = max(0, response.responseTime.timeIntervalSince(response.requestTime))
        let first = ListField.members(of: response.headers.values(for: "Age").prefix(1).map(\.self)).first
        let correctedAge = Double(first.flatMap(CacheControl.seconds) ?? 0) + delay
        return max(apparentAge, correctedAge) + max(0, now.timeIntervalSince(response.responseTime))
    }

    /// Whether a response with this status may be stored without explicit freshness (RFC 9110, 15.1).
    package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
