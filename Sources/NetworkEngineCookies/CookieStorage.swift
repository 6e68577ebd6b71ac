package import Foundation

/// The cookies of a jar, as a value: which ones are stored, replaced, removed and sent (RFC 6265bis, 5.7 and 5.8).
package struct CookieStorage: Sendable {
    /// The maximum number of cookies of one domain.
    package static let limitPerDomain = 50
    /// The maximum number of cookies of one registered domain, so that a site cannot push out those of others.
    package static let limitPerSite = 180
    /// The maximum number of cookies.
    package static let limit = 3_000

    private var domains: [String: [StoredCookie]] = [:]
    package private(set) var count = 0
    /// The last number of a creation or use.
    private var lastNumber = 0

    package init() {}

    /// Creates a storage with the cookies of an earlier one. Expired and broken ones are left out.
    package init(_ saved: [StoredCookie], now: Date) {
        for cookie in saved where cookie.isIntact && !cookie.isExpired(at: now) {
            domains[cookie.domain, default: []].append(cookie)
            count += 1
            lastNumber = max(lastNumber, cookie.created, cookie.used)
        }
        for domain in Array(domains.keys) { evict(from: domain, now: now) }
    }

    /// All cookies with a date of expiry.
    package var persistent: [StoredCookie] {
        domains.values.flatMap { $0.filter { $0.expires != nil } }.sorted { $0.created < $1.created }
    }

    /// Stores, replaces or removes a cookie.
    ///
    /// - Returns: whether cookies with a date of expiry have changed.
    package mutating func insert(_ cookie: Cookie, from address: CookieAddress, now: Date) -> Bool {
        guard var new = StoredCookie(cookie, from: address, now: now) else { return false }
        if !new.isSecure, !address.isSecure, hasCookie(barring: new, now) { return false }
        lastNumber += 1
        (new.created, new.used) = (lastNumber, lastNumber)
        var cookies = domains[new.domain] ?? []
        let old = cookies.firstIndex { $0.isReplaced(by: new) }.map { cookies.remove(at: $0) }
        if let old {
            new.created = old.created
            count -= 1
        }
        let isStored = !new.isExpired(at: now)
        if isStored {
            cookies.append(new)
            count += 1
        }
        domains[new.domain] = cookies.isEmpty ? nil : cookies
        let hasEvicted = evict(from: new.domain, now: now)
        return (isStored && new.expires != nil) || old?.expires != nil || hasEvicted
    }

    /// The cookies for a request, in the order in which they are sent.
    package func cookies(for request: CookieRequest) -> [StoredCookie] {
        places(for: request).compactMap { place in domains[place.domain]?[place.index] }.sorted { left, right in
            (right.path.utf8.count, left.created) < (left.path.utf8.count, right.created)
        }
    }

    /// The cookies for a request that is sent now, which are then the most recently used ones.
    package mutating func use(for request: CookieRequest) -> [StoredCookie] {
        let places = places(for: request)
        if places.isEmpty { return [] }
        lastNumber += 1
        for place in places { domains[place.domain]?[place.index].used = lastNumber }
        return cookies(for: request)
    }

    /// Removes the cookies of a host, and of all hosts with the same registered domain.
    ///
    /// - Returns: whether a cookie with a date of expiry was removed.
    package mutating func removeAll(ofSiteOf host: String) -> Bool {
        let site = PublicSuffixes.registeredDomain(of: host)
        var hasChanged = false
        for domain in Array(domains.keys) {
            let isOfSite = site != nil && PublicSuffixes.registeredDomain(of: domain) == site
            guard isOfSite || domain == host else { continue }
            if remove(from: domain, where: { _ in true }).contains(where: { $0.expires != nil }) { hasChanged = true }
        }
        return hasChanged
    }

    package mutating func removeAll() {
        domains = [:]
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
        domains.values.contains { cookies in cookies.contains { $0.bars(new) && !$0.isExpired(at: now) } }
    }

    /// Removes cookies until the limits hold: expired ones, then those of a domain or a site that has too many,
    /// insecure ones first, then those of all domains. Of equal ones the least recently used one goes first.
    ///
    /// - Returns: whether a cookie with a date of expiry was removed.
    @discardableResult
    private mutating func evict(from domain: String, now: Date) -> Bool {
        var removed: [StoredCookie] = []
        removed += evict(from: [domain], limit: Self.limitPerDomain, now)
        if count > Self.limitPerSite, let site = PublicSuffixes.registeredDomain(of: domain) {
            let domains = domains.keys.filter { CookieAddress.host($0, isWithin: site) }
            removed += evict(from: domains, limit: Self.limitPerSite, now)
        }
        if count > Self.limit {
            for domain in Array(domains.keys) { removed += removeExpired(from: domain, now) }
            while count > Self.limit, let least = domains.values.joined().min(by: { $0.used < $1.used }) {
                removed += remove(from: least.domain) { $0 == least }
            }
        }
        return removed.contains { $0.expires != nil }
    }

    private mutating func evict(from names: [String], limit: Int, _ now: Date) -> [StoredCookie] {
        func cookies() -> [StoredCookie] { names.flatMap { domains[$0] ?? [] } }
        guard cookies().count > limit else { return [] }
        var removed = names.flatMap { removeExpired(from: $0, now) }
        while case let left = cookies(), left.count > limit,
            let least = left.min(by: { ($0.isSecure ? 1 : 0, $0.used) < ($1.isSecure ? 1 : 0, $1.used) })
        {
            removed += remove(from: least.domain) { $0 == least }
        }
        return removed
    }

    private mutating func removeExpired(from domain: String, _ now: Date) -> [StoredCookie] {
        remove(from: domain) { $0.isExpired(at: now) }
    }

    private mutating func remove(from domain: String, where isRemoved: (StoredCookie) -> Bool) -> [StoredCookie] {
        let cookies = domains[domain] ?? []
        let removed = cookies.filter(isRemoved)
        let kept = cookies.filter { !isRemoved($0) }
        domains[domain] = kept.isEmpty ? nil : kept
        count -= removed.count
        return removed
    }
}
