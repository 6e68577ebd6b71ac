import Foundation
import NetworkEngine

/// The parts of a URL that determine which cookies it sets and receives.
struct CookieAddress: Hashable, Sendable {
    /// The host in normalized form, without brackets.
    let host: String
    let path: String
    let isSecure: Bool

    init(_ url: URL) {
        let address = AddressText(url.withoutDotSegments.absoluteString)
        let scheme = address.start.lowercased()
        path = address.path.utf8.first == UInt8(ascii: "/") ? address.path : "/"
        let isBracketed = address.host.utf8.first == UInt8(ascii: "[")
        let end = address.host.utf8.firstIndex(of: isBracketed ? UInt8(ascii: "]") : UInt8(ascii: ":"))
        let port = isBracketed ? end.map { address.host.utf8.index(after: $0) } : end
        host = Self.comparable(String(address.host[..<(port ?? address.host.endIndex)]))
        // A server on the same machine is trusted like an encrypted one (RFC 6265bis, 5.8.3).
        let isLocal = host == "localhost" || host.utf8.suffix(10).elementsEqual(".localhost".utf8)
        isSecure = scheme == "https://" || scheme == "wss://" || isLocal
    }

    /// The host and its parent domains. An IP address has no parent domain.
    var domains: [Substring] {
        var domains = [host[...]]
        if HostName.isAddress(host) { return domains }
        while let dot = domains.last?.utf8.firstIndex(of: UInt8(ascii: ".")) {
            domains.append(host[host.utf8.index(after: dot)...])
        }
        return domains
    }

    /// The folder of the path, which is the default path of cookies (RFC 6265bis, 5.1.4).
    var folder: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.utf8.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// A host in normalized form for comparison.
    static func comparable(_ host: String) -> String {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        return HostName.comparable(isBracketed ? String(host.dropFirst().dropLast()) : host).canonicalAddress
    }

    /// Whether the host is a domain or one of its subdomains (RFC 6265bis, 5.1.3).
    static func host(_ host: String, isWithin domain: String) -> Bool {
        if host == domain { return true }
        let (host8, domain8) = (host.utf8, domain.utf8)
        guard host8.count > domain8.count, host8.reversed().starts(with: domain8.reversed()) else { return false }
        return host8.dropLast(domain8.count).last == UInt8(ascii: ".") && !HostName.isAddress(host)
    }

    /// Whether a path is equal to another path or below it (RFC 6265bis, 5.1.4).
    static func path(_ path: String, isWithin folder: String) -> Bool {
        guard path.utf8.starts(with: folder.utf8) else { return false }
        if path.utf8.count == folder.utf8.count || folder.utf8.last == UInt8(ascii: "/") { return true }
        return path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
    }
}

extension String {
    /// The usual notation of an IP address, such as `127.0.0.1` for `127.1`; any other name unchanged.
    fileprivate var canonicalAddress: String {
        guard HostName.isAddress(self) else { return self }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        var wide = in6_addr()
        var narrow = in_addr()
        if inet_pton(AF_INET6, self, &wide) == 1 {
            guard inet_ntop(AF_INET6, &wide, &text, socklen_t(text.count)) != nil else { return self }
        } else {
            guard inet_aton(self, &narrow) != 0, inet_ntop(AF_INET, &narrow, &text, socklen_t(text.count)) != nil else {
                return self
            }
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
