package import Foundation

/// The one place where a base, a path and a query become an address.
///
/// - An empty path leaves the base as it is; otherwise exactly one slash stands between the two, so that `//host` is
///   a path on the base's host. Doubled slashes further on are kept: the server reads them.
/// - The segments `..` and `.` are resolved as RFC 3986 has it, on every transport: `/a/../b` is sent as `/b`.
/// - A path that begins with `http://` or `https://`, in any case, replaces the base. Any other scheme is a path: `a:b`.
/// - `?` in a path begins a query. The base's query comes first, then the path's, then the parameters'.
/// - What is there stays byte for byte. Only what RFC 3986 forbids is escaped: other letters as UTF-8, control
///   characters, a `%` that two hexadecimal digits do not follow.
/// - A fragment is never sent: a base's is dropped, and so is that of a path which is an address of its own. In any other
///   path `#` is a character like others, and becomes `%23`.
package enum URLJoining {
    /// Joins the parts of an address.
    ///
    /// - Parameter query: encoded names and values, as `QueryEncoder` writes them.
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
            bytes.append(query: parts.query, isBehindAnother: &hasQuery)
        } else {
            let added = Array(path.utf8)
            let mark = added.firstIndex(of: UInt8(ascii: "?"))
            bytes.append(path: added[..<(mark ?? added.endIndex)])
            bytes.append(query: parts.query, isBehindAnother: &hasQuery)
            bytes.append(query: mark.map { added[($0 + 1)...] }, isBehindAnother: &hasQuery)
        }
        if let query, !query.isEmpty { bytes.append(query: Array(query.utf8)[...], isBehindAnother: &hasQuery) }

        if path.isEmpty, bytes.elementsEqual(address.utf8) { return base.absoluteURL.withoutDotSegments }
        guard let url = URL(string: String(decoding: bytes, as: UTF8.self).withoutDotSegments) else {
            throw .invalid("\(name) is not a URL")
        }
        return url
    }

    /// The address of a base without query and a path of plain characters, which most are: nothing to cut or escape.
    private static func plain(_ base: URL, _ path: String) -> URL? {
        let slash = UInt8(ascii: "/")
        let legal = ASCIISet.path
        let bytes = path.utf8
        guard bytes.first == slash, bytes.dropFirst().first != slash, bytes.allSatisfy({ legal.contains($0) }) else {
            return nil
        }
        let address = base.absoluteString
        guard address.hasPrefix("http"), base.addressFault == nil, address.utf8.last != slash,
            !address.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        else { return nil }
        return URL(string: (address + path).withoutDotSegments)
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

    fileprivate mutating func append(query: ArraySlice<UInt8>?, isBehindAnother hasQuery: inout Bool) {
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
