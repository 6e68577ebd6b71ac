public import Foundation
public import NetworkEngine

/// Learns each server's clock, and retries a request once if the server rejected its time.
///
/// ```swift
/// let skew = ClockSkew()
/// let provider = NetworkProvider<UserAPI>(interceptors: [skew, Signer(time: { skew.now(for: $0) })])
/// ```
/// Use it for signatures that contain the time. A 401 or 403 is retried once if its `Date` differs by more than
/// `tolerance` from the server time that was assumed for the request. Copies share the learned times.
public struct ClockSkew: RequestInterceptor, NonInterceptingInterceptor {
    private let table: Locked<SkewTable>
    private let wallClock: @Sendable () -> Date

    /// Creates an interceptor that assumes the local time until a server rejects a request.
    ///
    /// - Parameters:
    ///   - tolerance: the largest difference from the assumed time to ignore.
    ///   - now: returns the local time of day.
    public init(tolerance: Duration = .seconds(60), now: @escaping @Sendable () -> Date = { Date() }) {
        table = Locked(SkewTable(tolerance: tolerance.inSeconds))
        wallClock = now
    }

    public var mayWait: Bool { false }

    /// Returns the time of day according to the clock of a URL's host.
    public func now(for url: URL) -> Date {
        let host = url.origin.text
        return wallClock().addingTimeInterval(table.withLock { $0.skew(of: host) })
    }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        let host = request.url.origin.text
        let skew = table.withLock { $0.skew(of: host) }
        let isRepeated = sentTime(in: context)?.isRepeated ?? false
        context.call.options.storage?.set(SentTime(host: host, skew: skew, isRepeated: isRepeated), for: id)
        return request
    }

    public func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        guard error.kind == .status, let response = error.response, [401, 403].contains(response.statusCode),
            let date = response.headers["Date"].flatMap(HTTPDate.seconds)
        else { return .doNotRetry }
        let skew = Double(date) - wallClock().timeIntervalSince1970
        let host = response.request.url.origin.text
        let (known, tolerance) = table.withLock { table in
            defer { table.update(skew, of: host) }
            return (table.skew(of: host), table.tolerance)
        }
        var sent = sentTime(in: context) ?? SentTime(host: host, skew: known)
        guard !sent.isRepeated, abs(skew - (sent.host == host ? sent.skew : known)) > tolerance else {
            return .doNotRetry
        }
        sent.isRepeated = true
        context.call.options.storage?.set(sent, for: id)
        return .retry
    }

    private var id: ObjectIdentifier { ObjectIdentifier(SentTime.self) }

    private func sentTime(in context: RequestContext) -> SentTime? { context.call.options.storage?.value(for: id) }
}

/// The host time that a call's latest attempt used.
private struct SentTime: Sendable {
    let host: String
    let skew: Double
    /// Whether the call was retried because of a different time.
    var isRepeated = false
}

/// The differences between the clocks of hosts and the local clock, in seconds.
private struct SkewTable: Sendable {
    let tolerance: Double
    private var skews: [String: Double] = [:]

    init(tolerance: Double) { self.tolerance = max(0, tolerance) }

    func skew(of host: String) -> Double { skews[host] ?? 0 }

    /// Stores a skew if it differs from the known one by more than the tolerance.
    mutating func update(_ skew: Double, of host: String) {
        guard abs(skew - self.skew(of: host)) > tolerance else { return }
        if skews.count >= 64, skews[host] == nil { skews.removeAll() }
        skews[host] = skew
    }
}
