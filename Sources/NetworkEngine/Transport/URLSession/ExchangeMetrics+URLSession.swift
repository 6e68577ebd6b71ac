import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ExchangeMetrics {
    /// The session's metrics for a task; `nil` if there are none, as on Linux.
    ///
    /// The times come from the last transaction: the engine follows redirects, so a task has more than one transaction
    /// only if the session has resent its request.
    init?(of task: URLSessionTaskMetrics) {
        guard let last = task.transactionMetrics.last, let start = last.fetchStartDate else { return nil }
        let isReused = last.isReusedConnection
        let tlsHandshake = Duration.between(last.secureConnectionStartDate, last.secureConnectionEndDate)
        let connected = last.secureConnectionStartDate ?? last.connectEndDate
        let version = last.negotiatedTLSProtocolVersion?.rawValue
        self.init(
            firstByte: .between(start, last.responseStartDate),
            total: .between(start, last.responseEndDate),
            isConnectionReused: isReused,
            domainLookup: isReused ? nil : .between(last.domainLookupStartDate, last.domainLookupEndDate),
            connecting: isReused ? nil : .between(last.connectStartDate, connected),
            tlsHandshake: isReused ? nil : tlsHandshake,
            requestSent: .between(start, last.requestEndDate),
            networkProtocol: last.networkProtocolName,
            remoteAddress: last.remoteAddress,
            // A number on Apple platforms, text elsewhere.
            remotePort: last.remotePort.flatMap { Int("\($0)") },
            isSecure: last.request.url?.origin.isSecure,
            tlsVersion: version.flatMap { Self.tlsVersions[UInt16($0)] }
        )
    }

    private static let tlsVersions: [UInt16: String] = [0x0301: "1.0", 0x0302: "1.1", 0x0303: "1.2", 0x0304: "1.3"]
}

extension Duration {
    fileprivate static func between(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}
