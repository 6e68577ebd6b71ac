/// A `Cache-Status` value: how the cache handled a request (RFC 9211).
struct CacheStatus: Hashable, Sendable, CustomStringConvertible {
    /// Why a request is forwarded to the server.
    enum Forward: Hashable, Sendable {
        case miss(FetchReason)
        /// A stored response was validated, or completed.
        case stale, partial
    }

    /// `nil` if a stored response was used without the server.
    var forward: Forward?
    /// The status of the server's response.
    var forwardStatus: Int?
    /// The remaining freshness in seconds; negative for a stale response.
    var timeToLive: Int64?
    var isStored = false
    /// Whether the request shared another request's exchange.
    var isCollapsed = false
    var detail: String?

    init(forward: Forward? = nil) { self.forward = forward }

    /// The status for an answer from a stored response.
    init(hit freshness: Freshness) {
        let longest = Double(CacheControl.longest)
        timeToLive = Int64(min(max(-freshness.staleness, -longest), longest).rounded(.down))
    }

    var description: String {
        var text = "NetworkEngine"
        switch forward {
        case nil: text += "; hit"
        case .miss(let reason): text += "; fwd=\(reason.rawValue)"
        case .stale: text += "; fwd=stale"
        case .partial: text += "; fwd=partial"
        }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let timeToLive { text += "; ttl=\(timeToLive)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\"\(Self.escaped(detail))\"" }
        return text
    }

    /// The content of a structured field's quoted string, which has only visible ASCII characters and spaces.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            guard (0x20..<0x7F).contains(scalar.value) else { return result += "?" }
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }
}
