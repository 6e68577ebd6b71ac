public import Foundation
public import NetworkEngine

/// Learns the clock of each server, and repeats a request once that the server rejected for a wrong time.
///
/// ```swift
/// let skew = ClockSkew()
/// let provider = NetworkProvider<UserAPI>(interceptors: [skew, Signer(time: { skew.now(for: $0) })])
/// ```
/// For signatures that contain the time. A 401 or 403 is repeated once if its `Date` differs by more than `tolerance`
/// from the time of the server that was known when the request was made. Copies share the learned times.
public struct ClockSkew: RequestInterceptor, NonInterceptingInterceptor {
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

/// The time of a host that the latest attempt of a call was made with.
private struct SentTime: Sendable {
    let host: String
    let skew: Double
    /// Whether the call was repeated because of another time.
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
