import Foundation

extension URL {
    /// Scheme, host and port of a valid address: whom connections are shared with.
    ///
    /// Looks at the text: asking a URL for its parts costs more than everything else that is done to admit a request.
    package var origin: String {
        let text = absoluteString
        guard let scheme = text.range(of: "://") else { return text }
        let end = text[scheme.upperBound...].utf8.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? text.endIndex
        let origin = text[..<end].lowercased()
        for (scheme, port) in [("http:", ":80"), ("https:", ":443")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
            return String(origin.dropLast(port.count))
        }
        return origin.hasSuffix(":") ? String(origin.dropLast()) : origin
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
