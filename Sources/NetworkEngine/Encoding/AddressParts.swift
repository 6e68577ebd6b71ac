/// An absolute `http` or `https` address, cut where RFC 3986 cuts it; the fragment is left off.
struct AddressParts {
    let scheme: String
    let authority: Substring.UTF8View
    let path: Substring.UTF8View
    /// What follows the first `?`; `nil` when there is none.
    let query: Substring.UTF8View?

    /// - Parameter name: what to call the address in a reason, such as "baseURL".
    init(_ text: String, name: String) throws(NetworkError) {
        let bytes = text[...].utf8
        let end = bytes.firstIndex { ":/?#".utf8.contains($0) }
        guard let colon = end, bytes[colon] == UInt8(ascii: ":") else {
            throw .invalid("\(name) has no scheme; it must begin with http:// or https://")
        }
        scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw .invalid("\(name) has the scheme \(scheme.debugDescription), which is not http or https")
        }
        let behindScheme = bytes[bytes.index(after: colon)...]
        guard behindScheme.starts(with: "//".utf8) else { throw .invalid("\(name) has no host") }
        let address = behindScheme.dropFirst(2)
        let fragment = address.firstIndex(of: UInt8(ascii: "#")) ?? address.endIndex
        let mark = address[..<fragment].firstIndex(of: UInt8(ascii: "?"))
        let pathStart = address[..<(mark ?? fragment)].firstIndex(of: UInt8(ascii: "/")) ?? mark ?? fragment
        authority = address[..<pathStart]
        path = address[pathStart..<(mark ?? fragment)]
        query = mark.map { address[address.index(after: $0)..<fragment] }
        if let fault = Self.fault(inAuthority: authority) { throw .invalid("\(name) \(fault)") }
    }

    /// Whether a target's path is a whole address of its own.
    static func isAbsolute(_ path: String) -> Bool {
        for prefix in ["http://", "https://"] where String(path.utf8.prefix(prefix.utf8.count))?.lowercased() == prefix
        {
            return true
        }
        return false
    }

    private static func fault(inAuthority authority: Substring.UTF8View) -> String? {
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let hostStart = at.map(authority.index(after:)) ?? authority.startIndex
        let hostAndPort = authority[hostStart...]
        // The colon before a port is behind the bracket that closes an IPv6 address.
        let portSearch = hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? hostAndPort.startIndex
        let colon = hostAndPort[portSearch...].firstIndex(of: UInt8(ascii: ":")) ?? hostAndPort.endIndex
        let host = hostAndPort[..<colon]
        if host.isEmpty { return "has no host" }
        if authority.contains(where: isIllegalInAuthority) { return "has an illegal character in its host" }
        if host.first != UInt8(ascii: "["), host.contains(UInt8(ascii: "%")) { return "has a percent sign in its host" }
        let port = hostAndPort[colon...].dropFirst()
        if port.isEmpty { return nil }
        guard let text = String(port), let number = UInt16(text), number > 0, text.first != "+" else {
            return "has a port that is not a number from 1 to 65535"
        }
        return nil
    }

    private static func isIllegalInAuthority(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || #""<>\^`{|}"#.utf8.contains(byte)
    }
}

extension NetworkError {
    static func invalid(_ reason: String) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: reason)
    }
}
