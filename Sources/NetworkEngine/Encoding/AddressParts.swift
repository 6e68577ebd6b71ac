/// An absolute `http` or `https` address, cut where RFC 3986 cuts it; the fragment is left off.
struct AddressParts {
    /// Scheme and slashes, in small letters.
    let start: StaticString
    let authority: ArraySlice<UInt8>
    let path: ArraySlice<UInt8>
    /// What follows the first `?`; `nil` when there is none.
    let query: ArraySlice<UInt8>?

    /// - Parameter name: what to call the address in a reason, such as "baseURL".
    init(_ text: String, name: String) throws(NetworkError) {
        let bytes = Array(text.utf8)
        guard let start = Self.start(of: bytes) else { throw .invalid("\(name) \(Self.fault(inStartOf: text))") }
        self.start = start
        let address = bytes[start.utf8CodeUnitCount...]
        let end = address.firstIndex(of: UInt8(ascii: "#")) ?? address.endIndex
        let mark = address[..<end].firstIndex(of: UInt8(ascii: "?"))
        let pathEnd = mark ?? end
        let pathStart = address[..<pathEnd].firstIndex(of: UInt8(ascii: "/")) ?? pathEnd
        authority = address[..<pathStart]
        path = address[pathStart..<pathEnd]
        query = mark.map { address[($0 + 1)..<end] }
        if let fault = Self.fault(inAuthority: authority) { throw .invalid("\(name) \(fault)") }
    }

    /// Whether a target's path is a whole address of its own.
    static func isAbsolute(_ path: String) -> Bool { start(of: path.utf8) != nil }

    private static func start(of bytes: some Sequence<UInt8>) -> StaticString? {
        if bytes.starts(with: "https://".utf8, by: isSame) { return "https://" }
        if bytes.starts(with: "http://".utf8, by: isSame) { return "http://" }
        return nil
    }

    /// Compares without regard to the case of letters.
    private static func isSame(_ byte: UInt8, _ small: UInt8) -> Bool {
        byte == small || ((0x61...0x7A).contains(small) && byte == small ^ 0x20)
    }

    private static func fault(inStartOf text: String) -> String {
        guard let end = text.firstIndex(where: { ":/?#".contains($0) }), text[end] == ":" else {
            return "has no scheme; it must begin with http:// or https://"
        }
        let scheme = text[..<end].lowercased()
        guard scheme == "http" || scheme == "https" else {
            return "has the scheme \(scheme.debugDescription), which is not http or https"
        }
        return "has no host"
    }

    private static func fault(inAuthority authority: ArraySlice<UInt8>) -> String? {
        let hostStart = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        let hostAndPort = authority[hostStart...]
        // The colon before a port is behind the bracket that closes an IPv6 address.
        let portSearch = hostAndPort.lastIndex(of: UInt8(ascii: "]")) ?? hostStart
        let colon = hostAndPort[portSearch...].firstIndex(of: UInt8(ascii: ":")) ?? hostAndPort.endIndex
        let host = hostAndPort[..<colon]
        if host.isEmpty { return "has no host" }
        if authority.contains(where: ASCIISet.illegalInAuthority.contains) {
            return "has an illegal character in its host"
        }
        if host.first != UInt8(ascii: "["), host.contains(UInt8(ascii: "%")) { return "has a percent sign in its host" }
        let port = hostAndPort[colon...].dropFirst()
        if port.isEmpty { return nil }
        let isNumber = port.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let number = UInt16(String(decoding: port, as: UTF8.self)), number > 0 else {
            return "has a port that is not a number from 1 to 65535"
        }
        return nil
    }
}

extension NetworkError {
    static func invalid(_ reason: String) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: reason)
    }
}
