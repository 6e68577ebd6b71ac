package import NetworkEngine

/// The directives of a `Cache-Control` field (RFC 9111, 5.2; RFC 5861; RFC 8246).
///
/// Names ignore case, and values are tokens or quoted strings. Unknown directives are ignored. Of several values of one
/// directive the first counts. Directives for shared caches only are read, but have no effect on freshness.
package struct CacheControl: Hashable, Sendable {
    /// The seconds of `max-age`. An invalid value counts as 0, so that the response is stale.
    package var maxAge: Int64?
    package var sharedMaxAge: Int64?
    package var minFresh: Int64?
    /// `max-stale` without a value accepts any age.
    package var maxStale: Int64?
    package var staleWhileRevalidate: Int64?
    package var staleIfError: Int64?
    /// `no-cache` without field names.
    package var isNoCache = false
    package var isNoStore = false
    package var isOnlyIfCached = false
    package var isPublic = false
    package var isPrivate = false
    package var mustRevalidate = false
    package var mustUnderstand = false
    package var proxyRevalidate = false
    package var isImmutable = false
    /// The lowercase names of the fields in `no-cache="..."`.
    package var noCacheFields: [String] = []

    /// The largest number of seconds (RFC 9111, 1.2.2).
    package static let longest: Int64 = 1 << 31

    package init() {}

    /// Whether all users may get the response.
    package var isForAll: Bool { isPublic && !isPrivate }

    /// The directives of a response.
    package init(response headers: HTTPHeaders) {
        self.init(headers.values(for: "Cache-Control"))
    }

    /// The directives of a request. `Pragma: no-cache` counts in a request without `Cache-Control`.
    package init(request headers: HTTPHeaders) {
        let lines = headers.values(for: "Cache-Control")
        self.init(lines)
        if lines.isEmpty, headers.contains("Pragma") {
            isNoCache = ListField.members(of: headers.values(for: "Pragma")).contains {
                $0.equalsIgnoringASCIICase("no-cache")
            }
        }
    }

    package init(_ lines: [String]) {
        for member in ListField.members(of: lines) {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = (parts.first ?? "").filter { $0 != " " && $0 != "\t" }.lowercased()
            // A blank beside the equals sign makes the value invalid.
            let isSpaced = name.utf8.count != parts.first?.utf8.count
            read(name, value: parts.count == 2 ? (isSpaced ? "" : String(parts[1])) : nil)
        }
    }

    private mutating func read(_ name: String, value: String?) {
        let seconds = { Self.seconds(value ?? "") }
        switch name {
        case "max-age": maxAge = maxAge ?? seconds() ?? 0
        case "s-maxage": sharedMaxAge = sharedMaxAge ?? seconds() ?? 0
        case "min-fresh": minFresh = minFresh ?? seconds()
        case "max-stale": maxStale = maxStale ?? (value == nil ? Self.longest : seconds())
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? seconds()
        case "stale-if-error": staleIfError = staleIfError ?? seconds()
        case "no-cache": readNoCache(value)
        case "no-store": isNoStore = true
        case "only-if-cached": isOnlyIfCached = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "proxy-revalidate": proxyRevalidate = true
        case "immutable": isImmutable = true
        default: break
        }
    }

    /// Names of fields limit the directive to them. Anything else in the value makes it apply to the whole response.
    private mutating func readNoCache(_ value: String?) {
        let names = value.map { ListField.members(of: [ListField.unquoted($0) ?? $0]) } ?? []
        if names.isEmpty || !names.allSatisfy(\.isToken) {
            isNoCache = true
        } else {
            noCacheFields += names.map { $0.lowercased() }
        }
    }

    /// Parses digits, saturating; a quoted string counts as its content.
    package static func seconds(_ text: String) -> Int64? {
        let digits = ListField.unquoted(text) ?? text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(digits) ?? longest, longest)
    }
}
