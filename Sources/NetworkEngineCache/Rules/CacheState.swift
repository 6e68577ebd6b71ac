import Foundation

/// A stored response's freshness, with the server's permissions and the request's requirements.
struct CacheState: Hashable, Sendable {
    let freshness: Freshness
    private let directives: CacheControl
    private let wishes: CacheControl

    init(of response: StoredResponse, for wishes: CacheControl, at now: Date) {
        directives = response.freshness.directives
        freshness = Freshness(of: response, at: now)
        self.wishes = wishes
    }

    /// Whether the response can be used without the server.
    var isUsable: Bool {
        guard !directives.isNoCache, !wishes.isNoCache else { return false }
        let isYoung = excess <= 0 && freshness.lifetime - freshness.age >= Double(wishes.minFresh ?? 0)
        if freshness.isFresh, isYoung { return true }
        guard let maxStale = wishes.maxStale, mayBeStale, wishes.minFresh == nil else { return false }
        return Self.permits(maxStale, max(freshness.staleness, excess))
    }

    /// Whether the stale response can be used while a new one is requested from the server (RFC 5861, 3).
    var isUsableWhileRevalidating: Bool {
        guard mayBeStale, !wishes.isNoCache, wishes.minFresh == nil, excess <= 0 else { return false }
        return Self.permits(directives.staleWhileRevalidate, freshness.staleness)
    }

    /// Whether the stale response replaces an error (RFC 5861, 4).
    var isUsableAfterError: Bool {
        mayBeStale
            && (Self.permits(directives.staleIfError, freshness.staleness)
                || Self.permits(wishes.staleIfError, freshness.staleness)
                || isUsable)
    }

    /// Whether the server permits stale use if the client requests it.
    var mayBeStale: Bool { !directives.isNoCache && !directives.mustRevalidate }

    /// Whether nothing forbids stale use without explicit permission.
    ///
    /// Directives for shared caches express the same intention, and count here.
    var mayBeStaleUnasked: Bool {
        mayBeStale && !directives.proxyRevalidate && directives.sharedMaxAge == nil && !wishes.isNoCache
    }

    /// By how much the response is older than the request's `max-age`.
    private var excess: Double {
        guard let maxAge = wishes.maxAge else { return -.infinity }
        // A reload of an immutable response needs no validation while it is fresh (RFC 8246).
        if maxAge == 0, directives.isImmutable, freshness.isFresh { return 0 }
        return maxAge == 0 ? max(freshness.age, .leastNormalMagnitude) : freshness.age - Double(maxAge)
    }

    private static func permits(_ limit: Int64?, _ staleness: Double) -> Bool {
        guard let limit else { return false }
        return staleness <= Double(limit)
    }
}
