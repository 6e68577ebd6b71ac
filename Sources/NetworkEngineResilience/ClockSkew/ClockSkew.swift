public import Foundation
public import NetworkEngine

/// Learns the clock of each server, and repeats a request once that the server rejected for a wrong time.
///
/// ```swift
/// let skew = ClockSkew()
/// let provider = NetworkProvider<UserAPI>(interceptors: [skew, Signer(time: { skew.now(for: $0) })])
/// ```
/// For signatures that contain the time. A 401 or 403 is repeated once if its `Date` differs from the known time of the
/// server by more than `tolerance`. Copies share the learned times.
public struct ClockSkew: RequestInterceptor, NonAdaptingInterceptor, NonInterceptingInterceptor {
    private let table: Locked<SkewTable>
    private let wallClock: @Sendable () -> Date

    /// Creates an interceptor that assumes the local time until a server rejects a request.
    ///
    /// - Parameters:
    ///   - tolerance: the largest difference from the known time that is ignored.
    ///   - now: returns the local time of day.
    public init(tolerance: Duration = .seconds(60), now: @escaping @Sendable () -> Date = { Date() }) {
        table = Locked(SkewTable(tolerance: tolerance.inSeconds))
        wallClock = now
    }

    public var mayWait: Bool { false }

    /// Returns the time of day by the clock of the host of a URL.
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
        let hasChanged = table.withLock { $0.update(skew, of: host) }
        return hasChanged ? .retry : .doNotRetry
    }
}

/// The differences between the clocks of hosts and the local clock, in seconds.
private struct SkewTable: Sendable {
    private let tolerance: Double
    private var skews: [String: Double] = [:]

    init(tolerance: Double) { self.tolerance = max(0, tolerance) }

    func skew(of host: String) -> Double { skews[host] ?? 0 }

    /// Stores a skew if it differs from the known one by more than the tolerance.
    ///
    /// - Returns: whether the skew was stored.
    mutating func update(_ skew: Double, of host: String) -> Bool {
        guard abs(skew - self.skew(of: host)) > tolerance else { return false }
        if skews.count >= 64, skews[host] == nil { skews.removeAll() }
        skews[host] = skew
        return true
    }
}
