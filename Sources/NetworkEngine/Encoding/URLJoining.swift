package import Foundation

/// Joins a base, a path and a query into a URL.
///
/// - An empty path does not change the base. Otherwise there is exactly one slash between base and path, so `//host` is
///   a path on the base's host. Double slashes at other positions are kept, because they matter to servers.
/// - The segments `..` and `.` are resolved as in RFC 3986 for every transport: `/a/../b` is sent as `/b`.
/// - A path that starts with `http://` or `https://`, ignoring case, replaces the base. With any other scheme it is a
///   path: `a:b`.
/// - `?` in a path starts a query. The base's query comes first, then the path's, then the parameters'.
/// - Legal characters and escapes are kept byte for byte. Characters that RFC 3986 forbids are escaped: letters as
///   UTF-8, control characters, and a `%` that is not followed by two hexadecimal digits.
/// - A fragment is never sent. The fragments of the base and of an absolute path are dropped. In any other path, `#`
///   becomes `%23`.
package enum URLJoining {
    /// Joins the parts of a URL.
    ///
    /// - Parameter query: the query, encoded by a `QueryEncoder`.
    package static func join(base: URL, path: String, query: String? = nil) throws(NetworkError) -> URL {
        if query == nil, let url = plain(base, path) { return url }
        let replacesBase = AddressParts.isAbsolute(path)
        let name = replacesBase ? "the absolute path" : "baseURL"
        let address = replacesBase ? path : base.absoluteString
        let parts = try AddressParts(address, name: name)

        var bytes: [UInt8] = []
        bytes.reserveCapacity(address.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 16)
        parts.start.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: parts.authority)
        bytes.append(escaping: parts.path, keeping: .path)
        var hasQuery = false
        if replacesBase {
            bytes.append(query: parts.query, appendingTo: &hasQuery)
        } else {
            let added = Array(path.utf8)
            let mark = added.firstIndex(of: UInt8(ascii: "?"))
            bytes.append(path: added[..<(mark ?? added.endIndex)])
            bytes.append(query: parts.query, appendingTo: &hasQuery)
            bytes.append(query: mark.map { added[($0 + 1)...] }, appendingTo: &hasQuery)
        }
        if let query, !query.isEmpty { bytes.append(query: Array(query.utf8)[...], appendingTo: &hasQuery) }

        if path.isEmpty, bytes.elementsEqual(address.utf8) { return base.absoluteURL.withoutDotSegments }
        guard let url = URL(string: String(decoding: bytes, as: UTF8.self).withoutDotSegments) else {
            throw .invalid("\(name) is not a URL")
        }
        return url
    }

    /// The URL for a base without a query and a path of plain characters, without splitting and escaping.
    private static func plain(_ base: URL, _ path: String) -> URL? {
        var (address, path) = (base.absoluteString, path)
        guard path.withUTF8({ $0.isPlainPath }), base.addressFault == nil, address.withUTF8({ $0.isPlainBase }) else {
            return nil
        }
        return URL(string: (address + path).withoutDotSegments)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether this is a path that starts with one slash and contains nothing to escape.
    fileprivate var isPlainPath: Bool {
        let legal = ASCIISet.path
        return first == UInt8(ascii: "/") && dropFirst().first != UInt8(ascii: "/") && allSatisfy { legal.contains($0) }
    }

    /// Whether this is a URL with a lowercase scheme, without a trailing slash, a query and a fragment.
    fileprivate var isPlainBase: Bool {
        starts(with: "http".utf8) && last != UInt8(ascii: "/")
            && !contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    }
}

extension [UInt8] {
    fileprivate mutating func append(path: ArraySlice<UInt8>) {
        guard !path.isEmpty else { return }
        let slash = UInt8(ascii: "/")
        while last == slash { removeLast() }
        append(slash)
        append(escaping: path.drop { $0 == slash }, keeping: .path)
    }

    fileprivate mutating func append(query: ArraySlice<UInt8>?, appendingTo hasQuery: inout Bool) {
        guard let query else { return }
        if !hasQuery {
            append(UInt8(ascii: "?"))
        } else if !query.isEmpty, last != UInt8(ascii: "?"), last != UInt8(ascii: "&") {
            append(UInt8(ascii: "&"))
        }
        hasQuery = true
        append(escaping: query, keeping: .query)
    }
}

/// The components of an absolute `http` or `https` URL as defined by RFC 3986, without the fragment.
package struct AddressParts {
    /// The lowercase scheme and the slashes.
    let start: StaticString
    let authority: ArraySlice<UInt8>
    let path: ArraySlice<UInt8>
    /// The part after the first `?`.
    let query: ArraySlice<UInt8>?

    /// - Parameter name: the URL's name in errors, such as "baseURL".
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

    /// Whether a target's path is an absolute URL.
    package static func isAbsolute(_ path: String) -> Bool { start(of: path.utf8) != nil }

    private static func start(of bytes: some Sequence<UInt8>) -> StaticString? {
        if bytes.starts(with: "https://".utf8, by: isSame) { return "https://" }
        if bytes.starts(with: "http://".utf8, by: isSame) { return "http://" }
        return nil
    }

    /// Compares letters case-insensitively.
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
        // The colon before a port follows an IPv6 address's closing bracket.
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
