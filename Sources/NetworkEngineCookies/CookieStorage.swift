import Foundation
import NetworkEngine

/// A jar's cookies as a value: which ones are stored, replaced, removed and sent (RFC 6265bis, 5.7 and 5.8).
struct CookieStorage: Sendable {
    /// The maximum number of cookies for one domain.
    static let limitPerDomain = 50
    /// The maximum number of cookies for one registered domain, so that a site cannot evict other sites' cookies.
    static let limitPerSite = 180
    /// The maximum number of cookies.
    static let limit = 3_000

    private var domains: [String: [StoredCookie]] = [:]
    /// For each domain, the domains with cookies that are equal to it or below it.
    private var below: [String: Set<String>] = [:]
    private(set) var count = 0
    /// No cookie expires before this.
    private var nextExpiry = Date.distantFuture
    /// The cookies in order of last use when they were last sorted, most recently used first. A cookie used since then
    /// has another number, which is greater than all of them.
    private var leastUsed: [Place] = []
    /// The last number assigned to a creation or use.
    private var lastNumber = 0

    /// Identifies a cookie until it is used again.
    private struct Place {
        let domain: String
        let created: Int
        let used: Int
    }

    init() {}

    /// Creates a storage with saved cookies. Expired and invalid ones are omitted.
    init(_ saved: [StoredCookie], now: Date) {
        for cookie in saved where cookie.isIntact && !cookie.isExpired(at: now) {
            add(cookie)
            lastNumber = max(lastNumber, cookie.created, cookie.used)
        }
        for domain in Array(domains.keys) { evict(from: domain, now: now) }
    }

    private mutating func add(_ cookie: StoredCookie) {
        if domains[cookie.domain] == nil {
            for domain in Self.lineage(of: cookie.domain) { below[domain, default: []].insert(cookie.domain) }
        }
        domains[cookie.domain, default: []].append(cookie)
        count += 1
        if let expires = cookie.expires { nextExpiry = min(nextExpiry, expires) }
    }

    /// All cookies with an expiration date.
    var persistent: [StoredCookie] {
        domains.values.flatMap { $0.filter { $0.expires != nil } }.sorted { $0.created < $1.created }
    }

    /// Stores, replaces or removes a cookie.
    ///
    /// - Returns: whether cookies with an expiration date have changed.
    mutating func insert(_ cookie: Cookie, from address: CookieAddress, now: Date) -> Bool {
        guard var new = StoredCookie(cookie, from: address, now: now) else { return false }
        if !new.isSecure, !address.isSecure, hasCookie(barring: new, now) { return false }
        lastNumber += 1
        (new.created, new.used) = (lastNumber, lastNumber)
        let old = remove(from: new.domain) { $0.isReplaced(by: new) }.first
        if let old { new.created = old.created }
        let isStored = !new.isExpired(at: now)
        if isStored { add(new) }
        let hasEvicted = evict(from: new.domain, now: now)
        return (isStored && new.expires != nil) || old?.expires != nil || hasEvicted
    }

    /// The cookies for a request, in sending order.
    func cookies(for request: CookieRequest) -> [StoredCookie] {
        places(for: request).compactMap { place in domains[place.domain]?[place.index] }.sorted { left, right in
            (right.path.utf8.count, left.created) < (left.path.utf8.count, right.created)
        }
    }

    /// The cookies for a request that is about to be sent, which become the most recently used ones.
    mutating func use(for request: CookieRequest) -> [StoredCookie] {
        let places = places(for: request)
        if places.isEmpty { return [] }
        lastNumber += 1
        for place in places { domains[place.domain]?[place.index].used = lastNumber }
        return cookies(for: request)
    }

    /// Removes the cookies of a host, and of all hosts with the same registered domain.
    ///
    /// - Returns: whether a cookie with an expiration date was removed.
    mutating func removeAll(ofSiteOf host: String) -> Bool {
        let site = PublicSuffixes.registeredDomain(of: host)
        var hasChanged = false
        for domain in Array(domains.keys) {
            let isOfSite = site != nil && PublicSuffixes.registeredDomain(of: domain) == site
            guard isOfSite || domain == host else { continue }
            if remove(from: domain, where: { _ in true }).contains(where: { $0.expires != nil }) { hasChanged = true }
        }
        return hasChanged
    }

    mutating func removeAll() {
        domains = [:]
        below = [:]
        leastUsed = []
        nextExpiry = .distantFuture
        count = 0
    }

    private func places(for request: CookieRequest) -> [(domain: String, index: Int)] {
        if domains.isEmpty { return [] }
        return request.address.domains.flatMap { domain in
            let domain = String(domain)
            let cookies = domains[domain] ?? []
            return cookies.indices.filter { cookies[$0].applies(to: request) }.map { (domain, $0) }
        }
    }

    private func hasCookie(barring new: StoredCookie, _ now: Date) -> Bool {
        // A cookie can block cookies from its parent domains and subdomains.
        let near = (below[new.domain] ?? []).union(Self.lineage(of: new.domain))
        return near.contains { domain in
            domains[domain]?.contains { $0.bars(new) && !$0.isExpired(at: now) } ?? false
        }
    }

    /// A domain and its parent domains. An IP address has no parent domain.
    private static func lineage(of domain: String) -> [String] {
        var lineage = [domain]
        if HostName.isAddress(domain) { return lineage }
        var rest = domain.utf8[...]
        while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: dot)...]
            lineage.append(String(decoding: rest, as: UTF8.self))
        }
        return lineage
    }

    /// Removes cookies until the limits are met: expired ones, then those of a domain or site with too many, insecure
    /// ones first, then those of all domains. Among equals, the least recently used one is removed first.
    ///
    /// - Returns: whether a cookie with an expiration date was removed.
    @discardableResult
    private mutating func evict(from domain: String, now: Date) -> Bool {
        var removed: [StoredCookie] = []
        removed += evict(from: [domain], limit: Self.limitPerDomain, now)
        if count > Self.limitPerSite, let site = PublicSuffixes.registeredDomain(of: domain) {
            removed += evict(from: Array(below[site] ?? []), limit: Self.limitPerSite, now)
        }
        if count > Self.limit, nextExpiry < now {
            for domain in Array(domains.keys) { removed += removeExpired(from: domain, now) }
            nextExpiry = domains.values.joined().compactMap(\.expires).min() ?? .distantFuture
        }
        while count > Self.limit, let place = nextLeastUsed() {
            removed += remove(from: place.domain) { $0.used == place.used && $0.created == place.created }
        }
        return removed.contains { $0.expires != nil }
    }

    /// The next cookie in order of last use. It may have been used or removed since.
    private mutating func nextLeastUsed() -> Place? {
        if leastUsed.isEmpty {
            leastUsed = domains.values.joined()
                .map { Place(domain: $0.domain, created: $0.created, used: $0.used) }
                .sorted { $0.used > $1.used }
        }
        return leastUsed.popLast()
    }

    private mutating func evict(from names: [String], limit: Int, _ now: Date) -> [StoredCookie] {
        func count() -> Int { names.reduce(0) { $0 + (domains[$1]?.count ?? 0) } }
        guard count() > limit else { return [] }
        var removed = names.flatMap { removeExpired(from: $0, now) }
        let surplus = count() - limit
        guard surplus > 0 else { return removed }
        let first = names.flatMap { domains[$0] ?? [] }.sorted {
            ($0.isSecure ? 1 : 0, $0.used) < ($1.isSecure ? 1 : 0, $1.used)
        }
        for cookie in first.prefix(surplus) { removed += remove(from: cookie.domain) { $0 == cookie } }
        return removed
    }

    private mutating func removeExpired(from domain: String, _ now: Date) -> [StoredCookie] {
        remove(from: domain) { $0.isExpired(at: now) }
    }

    private mutating func remove(from domain: String, where isRemoved: (StoredCookie) -> Bool) -> [StoredCookie] {
        let cookies = domains[domain] ?? []
        let removed = cookies.filter(isRemoved)
        if removed.isEmpty { return [] }
        let kept = cookies.filter { !isRemoved($0) }
        domains[domain] = kept.isEmpty ? nil : kept
        count -= removed.count
        guard kept.isEmpty else { return removed }
        for parent in Self.lineage(of: domain) {
            below[parent]?.remove(domain)
            if below[parent]?.isEmpty == true { below[parent] = nil }
        }
        return removed
    }
}
