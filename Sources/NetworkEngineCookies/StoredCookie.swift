import Foundation
import NetworkEngine

/// A cookie in a jar, with everything that determines where it is sent.
struct StoredCookie: Hashable, Sendable, Codable {
    let name: String
    let value: String
    let domain: String
    /// Whether only the host that set the cookie receives it.
    let isHostOnly: Bool
    let path: String
    let expires: Date?
    let isSecure: Bool
    let isHTTPOnly: Bool
    let sameSite: Cookie.SameSite
    /// The cookie's positions in the order of creation and of last use.
    var created = 0
    var used = 0

    /// The longest lifetime of a cookie, 400 days.
    private static let longestLife: TimeInterval = 400 * 86_400

    /// The cookie if the host is allowed to set it, otherwise `nil` (RFC 6265bis, 5.7).
    init?(_ cookie: Cookie, from address: CookieAddress, now: Date) {
        guard cookie.isLegal, !address.host.isEmpty else { return nil }
        let host = address.host
        // A host that is a public suffix or an IP address can only set a cookie for itself.
        let isForHost =
            cookie.domain.map { domain in
                HostName.isAddress(host)
                    ? CookieAddress.comparable(domain) == host : domain == host && PublicSuffixes.contains(domain)
            } ?? true
        if let domain = cookie.domain, !isForHost {
            guard !PublicSuffixes.contains(domain), CookieAddress.host(host, isWithin: domain) else { return nil }
        }
        name = cookie.name
        value = cookie.value
        isHostOnly = isForHost
        domain = isForHost ? host : cookie.domain ?? host
        path = cookie.path?.utf8.first == UInt8(ascii: "/") ? cookie.path ?? "/" : address.folder
        expires = cookie.expires.map { min($0, now.addingTimeInterval(Self.longestLife)) }
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
        sameSite = cookie.sameSite
        if isSecure, !address.isSecure { return nil }
        if sameSite == .none, !isSecure { return nil }
        if ["__Secure-", "__Host-", "__Http-"].contains(where: cookie.begins) {
            guard !name.isEmpty, isSecure else { return nil }
        }
        if ["__Http-", "__Host-Http-"].contains(where: cookie.begins), !isHTTPOnly { return nil }
        if cookie.begins(with: "__Host-") {
            guard isHostOnly, cookie.path != nil, path == "/" else { return nil }
        }
    }

    var cookie: Cookie {
        Cookie(
            name: name,
            value: value,
            domain: isHostOnly ? nil : domain,
            path: path,
            expires: expires,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite
        )
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 < now } ?? false }

    /// Whether a new cookie replaces this one.
    func isReplaced(by other: StoredCookie) -> Bool {
        name == other.name && path == other.path && isHostOnly == other.isHostOnly && domain == other.domain
    }

    /// Whether this secure cookie blocks a new one from an unencrypted response, which could shadow it.
    func bars(_ other: StoredCookie) -> Bool {
        guard isSecure, name == other.name, CookieAddress.path(other.path, isWithin: path) else { return false }
        return CookieAddress.host(other.domain, isWithin: domain) || CookieAddress.host(domain, isWithin: other.domain)
    }

    /// Whether the cookie is sent with a request. The request's host is the cookie's domain or below it.
    func applies(to request: CookieRequest) -> Bool {
        let address = request.address
        guard !isHostOnly || domain == address.host, !isSecure || address.isSecure,
            CookieAddress.path(address.path, isWithin: path), !isExpired(at: request.time)
        else { return false }
        guard request.isCrossSite else { return true }
        return switch sameSite {
        case .none: true
        case .unspecified, .lax: request.isSafe
        case .strict: false
        }
    }

    /// Whether a cookie from a file could have been saved by a jar.
    var isIntact: Bool {
        cookie.isLegal && path.utf8.first == UInt8(ascii: "/") && path.utf8.allSatisfy(\.isLegalInCookie)
            && !domain.isEmpty && domain == domain.lowercased() && (isHostOnly || !PublicSuffixes.contains(domain))
            && created >= 0 && used >= 0 && max(created, used) < .max / 2
    }
}

/// A request to look up cookies for.
struct CookieRequest: Sendable {
    var address: CookieAddress
    /// Whether the request follows a redirect from another site.
    var isCrossSite = false
    /// Whether the method is safe.
    var isSafe = true
    var time: Date

    init(_ address: CookieAddress, isCrossSite: Bool = false, isSafe: Bool = true, at time: Date) {
        self.address = address
        self.isCrossSite = isCrossSite
        self.isSafe = isSafe
        self.time = time
    }
}
