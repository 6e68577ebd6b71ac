import NetworkEngine

/// The directives in a `Cache-Control` field (RFC 9111, 5.2; RFC 5861; RFC 8246).
///
/// Names ignore case, and values are tokens or quoted strings. Unknown directives are ignored. If a directive has
/// several values, the first one is used. Directives for shared caches are parsed, but don't affect freshness.
struct CacheControl: Hashable, Sendable {
    /// The seconds in `max-age`. An invalid value counts as 0, so that the response is stale.
    var maxAge: Int64?
    var sharedMaxAge: Int64?
    var minFresh: Int64?
    /// `max-stale` without a value accepts any age.
    var maxStale: Int64?
    var staleWhileRevalidate: Int64?
    var staleIfError: Int64?
    /// `no-cache` without field names.
    var isNoCache = false
    var isNoStore = false
    var isOnlyIfCached = false
    var isPublic = false
    var isPrivate = false
    var mustRevalidate = false
    var mustUnderstand = false
    var proxyRevalidate = false
    var isImmutable = false
    /// The lowercase names of the fields in `no-cache="..."`.
    var noCacheFields: [String] = []

    /// The largest number of seconds (RFC 9111, 1.2.2).
    static let longest: Int64 = 1 << 31

    init() {}

    /// Whether the response is for all users.
    var isForAll: Bool { isPublic && !isPrivate }

    /// The directives of a response.
    init(response headers: HTTPHeaders) {
        self.init(headers.values(for: "Cache-Control"))
    }

    /// The directives of a request. `Pragma: no-cache` counts in a request without `Cache-Control`.
    init(request headers: HTTPHeaders) {
        let lines = headers.values(for: "Cache-Control")
        self.init(lines)
        if lines.isEmpty, headers.contains("Pragma") {
            isNoCache = ListField.members(of: headers.values(for: "Pragma")).contains {
                $0.equalsIgnoringASCIICase("no-cache")
            }
        }
    }

    init(_ lines: [String]) {
        for member in ListField.members(of: lines) {
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = (parts.first ?? "").filter { $0 != " " && $0 != "\t" }.lowercased()
            // White space around the equals sign makes the value invalid.
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

    /// Field names limit the directive to those fields. Any other value applies to the whole response.
    private mutating func readNoCache(_ value: String?) {
        let names = value.map { ListField.members(of: [ListField.unquoted($0) ?? $0]) } ?? []
        if names.isEmpty || !names.allSatisfy(\.isToken) {
            isNoCache = true
        } else {
            noCacheFields += names.map { $0.lowercased() }
        }
    }

    /// Parses digits, saturating; a quoted string is parsed as its content.
    static func seconds(_ text: String) -> Int64? {
        let digits = ListField.unquoted(text) ?? text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(digits) ?? longest, longest)
    }
}
