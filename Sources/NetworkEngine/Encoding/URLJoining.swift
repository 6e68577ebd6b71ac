package import Foundation

/// The one place where a base, a path and a query become an address.
///
/// - An empty path leaves the base as it is; otherwise exactly one slash stands between the two, so that `//host` is
///   a path on the base's host. Dots (`..`, `.`) and doubled slashes further on are kept: the server reads them.
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
        let replacesBase = AddressParts.isAbsolute(path)
        let address =
            replacesBase
            ? try AddressParts(path, name: "the absolute path")
            : try AddressParts(base.absoluteString, name: "baseURL")
        let added = replacesBase ? "" : path[...]
        let mark = added.utf8.firstIndex(of: UInt8(ascii: "?"))

        var bytes: [UInt8] = []
        // The path replaces the base or is added to it: both fit.
        bytes.reserveCapacity(base.absoluteString.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 16)
        bytes.append(contentsOf: address.scheme.utf8)
        bytes.append(contentsOf: "://".utf8)
        bytes.append(contentsOf: address.authority)
        bytes.append(escaping: address.path, keeping: .path)
        bytes.append(path: added.utf8[..<(mark ?? added.endIndex)])
        var hasQuery = false
        if let own = address.query { bytes.append(query: own, isFirst: &hasQuery) }
        if let mark { bytes.append(query: added.utf8[mark...].dropFirst(), isFirst: &hasQuery) }
        if let query, !query.isEmpty { bytes.append(query: query[...].utf8, isFirst: &hasQuery) }

        // Most bases without a path need no second look.
        if bytes.elementsEqual(base.absoluteString.utf8) { return base.absoluteURL }
        guard let url = URL(string: String(decoding: bytes, as: UTF8.self)), url.host?.isEmpty == false else {
            let part = replacesBase ? "the absolute path" : "baseURL with its path"
            throw .invalid("\(part) is not a URL")
        }
        return url
    }
}

extension [UInt8] {
    fileprivate mutating func append(path: Substring.UTF8View) {
        guard !path.isEmpty else { return }
        let slash = UInt8(ascii: "/")
        while last == slash { removeLast() }
        append(slash)
        append(escaping: path.drop { $0 == slash }, keeping: .path)
    }

    fileprivate mutating func append(query: Substring.UTF8View, isFirst hasQuery: inout Bool) {
        if !hasQuery {
            append(UInt8(ascii: "?"))
        } else if !query.isEmpty, last != UInt8(ascii: "?"), last != UInt8(ascii: "&") {
            append(UInt8(ascii: "&"))
        }
        hasQuery = true
        append(escaping: query, keeping: .query)
    }
}
