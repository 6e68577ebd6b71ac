public import Foundation

/// The proxy that a transport uses.
///
/// ```swift
/// let me = ProxyCredentials(user: "me", password: "…")
/// if let url = URL(string: "http://proxy.example.com:3128") {
///     configuration.transport = URLSessionTransport(proxy: .url(url, credentials: me))
/// }
/// ```
/// `URLSessionTransport` on Linux supports only `.environment`: with any other policy every send fails before any I/O
/// with `.unsupported`. Use `CurlTransport` there.
public enum ProxyPolicy: Hashable, Sendable {
    /// The environment's proxy: the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` on Linux, the
    /// system settings on Apple platforms.
    case environment
    /// No proxy, regardless of the environment.
    case direct
    /// A proxy with the scheme `http`, `https`, `socks5` or `socks5h`.
    ///
    /// `https` works with `CurlTransport`. `URLSessionTransport` does not support TLS to a proxy: every send fails with
    /// `.unsupported`.
    case url(URL, credentials: ProxyCredentials? = nil)

    /// Throws `.invalidRequest` for an invalid proxy URL, and for credentials with control characters.
    public func validate() throws(NetworkError) {
        guard case .url(let url, let credentials) = self else { return }
        guard let fault = Self.fault(in: url) ?? credentials.flatMap(Self.fault(in:)) else { return }
        throw NetworkError(kind: .invalidRequest, reason: "ProxyPolicy: \(fault)")
    }

    private static func fault(in credentials: ProxyCredentials) -> String? {
        let texts = Array(credentials.user.utf8) + Array(credentials.password.utf8)
        return texts.contains { $0 < 0x20 || $0 == 0x7F } ? "the credentials have a control character" : nil
    }

    /// The reason why a session on Apple platforms does not support the policy; `nil` if it does.
    ///
    /// A session has no settings for a proxy over TLS. A plain proxy would expose the requests that the caller wanted
    /// to hide, starting with the proxy's own password.
    var systemSessionFault: String? {
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

/// The credentials for a proxy. The description does not contain the password.
public struct ProxyCredentials: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The user's password.
    public var password: String

    /// Creates credentials. If they contain control characters, `ProxyPolicy.validate()` throws.
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
