public import Foundation

/// Through whom a transport reaches servers.
///
/// ```swift
/// let me = ProxyCredentials(user: "me", password: "…")
/// if let url = URL(string: "http://proxy.example.com:3128") {
///     configuration.transport = URLSessionTransport(proxy: .url(url, credentials: me))
/// }
/// ```
/// `URLSessionTransport` on Linux knows `.environment` only: anything else makes every send fail before I/O with
/// `.unsupported`; use `CurlTransport` there.
public enum ProxyPolicy: Hashable, Sendable {
    /// As the surroundings say: the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` on Linux, the
    /// system's settings on Apple.
    case environment
    /// Nobody, whatever the surroundings say.
    case none
    /// A proxy whose scheme is `http`, `https`, `socks5` or `socks5h`.
    ///
    /// `https` works with `CurlTransport`. `URLSessionTransport` cannot speak TLS to a proxy: every send fails with
    /// `.unsupported`.
    case url(URL, credentials: ProxyCredentials? = nil)

    /// Throws `.invalidRequest` for an address that is none of a proxy, and for credentials with control characters.
    public func validate() throws(NetworkError) {
        guard case .url(let url, let credentials) = self else { return }
        guard let fault = Self.fault(in: url) ?? credentials.flatMap(Self.fault(in:)) else { return }
        throw NetworkError(kind: .invalidRequest, reason: "ProxyPolicy: \(fault)")
    }

    private static func fault(in credentials: ProxyCredentials) -> String? {
        let texts = Array(credentials.user.utf8) + Array(credentials.password.utf8)
        return texts.contains { $0 < 0x20 || $0 == 0x7F } ? "the credentials have a control character" : nil
    }

    /// Why a session of Apple's cannot obey; `nil` when it can.
    ///
    /// Its settings know no proxy that is spoken to over TLS. A plain one in its place would see what the caller wanted
    /// to hide, and the password of the proxy first.
    package var systemSessionFault: String? {
        guard case .url(let url, _) = self, url.scheme?.lowercased() == "https" else { return nil }
        return "URLSession has no way to speak TLS to a proxy, as \"https\" asks for; name an http or socks5 proxy"
    }

    private static func fault(in url: URL) -> String? {
        let scheme = url.scheme?.lowercased() ?? ""
        guard ["http", "https", "socks5", "socks5h"].contains(scheme) else {
            return "the scheme \(scheme.debugDescription) is none of http, https, socks5 and socks5h"
        }
        if url.host?.isEmpty != false { return "the proxy's URL has no host" }
        if url.user != nil || url.password != nil {
            return "the proxy's URL carries credentials; give them as ProxyCredentials"
        }
        return nil
    }
}

/// As whom a proxy knows us. The description does not show the password.
public struct ProxyCredentials: Hashable, Sendable {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension ProxyCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(user), password \(Redaction.placeholder)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["credentials": description], displayStyle: .struct) }
}
