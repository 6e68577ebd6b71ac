import Foundation
import NetworkEngine

/// The freshness information in a stored response's head, independent of the current time (RFC 9111, 4.2).
///
/// It is computed once for all requests that the response answers.
struct FreshnessBasis: Hashable, Sendable {
    let directives: CacheControl
    /// The time of origin: `Date`, or the time of arrival.
    let date: Date
    /// The freshness lifetime in seconds.
    let lifetime: Double
    /// Whether the lifetime is estimated from `Last-Modified`.
    let isHeuristic: Bool
    /// The age in seconds on arrival.
    let initialAge: Double

    init(statusCode: Int, headers: HTTPHeaders, requestTime: Date, responseTime: Date) {
        directives = CacheControl(response: headers)
        let origin = headers.values(for: "Date").first.flatMap(HTTPDate.seconds)
        date = origin.map { Date(timeIntervalSince1970: Double($0)) } ?? responseTime
        let explicit = Self.explicitLifetime(headers, directives, date)
        isHeuristic = explicit == nil
        lifetime = explicit ?? Self.heuristicLifetime(statusCode, headers, directives, date)
        let apparentAge = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        let age = ListField.members(of: Array(headers.values(for: "Age").prefix(1))).first
        initialAge = max(apparentAge, Double(age.flatMap(CacheControl.seconds) ?? 0) + delay)
    }

    private static let longestHeuristic: Double = 24 * 60 * 60

    /// The lifetime in `max-age` or `Expires`; `s-maxage` is for shared caches.
    private static func explicitLifetime(_ headers: HTTPHeaders, _ directives: CacheControl, _ date: Date) -> Double? {
        if let maxAge = directives.maxAge { return Double(maxAge) }
        guard let text = headers.values(for: "Expires").first else { return nil }
        // An invalid date, such as 0, is in the past.
        guard let end = HTTPDate.seconds(text) else { return 0 }
        return min(max(0, Double(end) - date.timeIntervalSince1970), Double(CacheControl.longest))
    }

    /// A tenth of the time since the last modification.
    private static func heuristicLifetime(
        _ statusCode: Int,
        _ headers: HTTPHeaders,
        _ directives: CacheControl,
        _ date: Date
    ) -> Double {
        guard directives.isPublic || isHeuristicallyCacheable(statusCode),
            let modified = headers.values(for: "Last-Modified").first.flatMap(HTTPDate.seconds)
        else { return 0 }
        return min(max(0, (date.timeIntervalSince1970 - Double(modified)) / 10), longestHeuristic)
    }

    /// Whether a response with this status may be stored without explicit freshness (RFC 9110, 15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
