public import Foundation

/// Learns what time it is for a server, and repeats once what it rejected because the clocks differ.
///
/// ```swift
/// let skew = ClockSkew()
/// let provider = NetworkProvider<UserAPI>(interceptors: [skew, Signer(time: { skew.now(for: $0) })])
/// ```
/// For signatures that hold the time. A 401 or 403 whose `Date` shows that the clocks differ by more than was known, and
/// by more than `tolerance`, is repeated once. Copies share what they have learnt.
public struct ClockSkew: RequestInterceptor {
    private let table: Locked<SkewTable>
    private let wallClock: @Sendable () -> Date

    public init(tolerance: Duration = .seconds(60), now: @escaping @Sendable () -> Date = { Date() }) {
        table = Locked(SkewTable(tolerance: tolerance / .seconds(1)))
        wallClock = now
    }

    public var mayWait: Bool { false }

    /// The time of day by the clock of an address's host.
    public func now(for url: URL) -> Date {
        let host = url.origin.text
        return wallClock().addingTimeInterval(table.withLock { $0.skew(of: host) })
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard error.kind == .status, let response = error.response, [401, 403].contains(response.statusCode),
            let date = response.headers["Date"].flatMap(HTTPDate.seconds)
        else { return .doNotRetry }
        let skew = Double(date) - wallClock().timeIntervalSince1970
        let host = response.request.url.origin.text
        let isNews = table.withLock { $0.note(skew, of: host) }
        return isNews ? .retry : .doNotRetry
    }
}
