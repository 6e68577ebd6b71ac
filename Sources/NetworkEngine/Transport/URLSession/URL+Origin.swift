import Foundation

extension URL {
    /// Scheme, host and port: whom connections are shared with.
    var origin: String {
        let scheme = scheme?.lowercased() ?? ""
        return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}

extension TransportContext {
    /// Where the exchange stands in the queue.
    package var rank: AdmissionQueue.Rank {
        if isRefresh { return .refresh }
        return switch priority {
        case .high: .high
        case .normal: .normal
        case .low: .low
        }
    }
}
