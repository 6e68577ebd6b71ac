public import Foundation
import NetworkEngine

/// A cookie: a name and value set by a server or the app, and the requests that send it back.
///
/// ```swift
/// jar.set(Cookie(name: "consent", value: "yes", path: "/", isSecure: true), for: url)
/// ```
/// `description` hides the value.
public struct Cookie: Hashable, Sendable {
    /// The rule for requests after a redirect from another site.
    public enum SameSite: String, Hashable, Sendable, Codable {
        /// No rule was given. The cookie is sent like `lax`.
        case unspecified
        /// After a redirect from another site, the cookie is sent with safe methods, such as GET.
        case lax
        /// After a redirect from another site, the cookie is not sent.
        case strict
        /// The cookie is always sent. Only a secure cookie can have this rule.
        case none
    }

    /// The name. A cookie with an empty name is sent as its value alone.
    public var name: String
    /// The value.
    public var value: String
    /// The domain of the hosts that receive the cookie; `nil` for only the host that set it.
    public var domain: String?
    /// The path prefix of requests that send the cookie; `nil` for the folder of the URL that set it.
    public var path: String?
    /// The expiration date, at most 400 days from now; `nil` to keep the cookie as long as the jar exists.
    public var expires: Date?
    /// Whether only encrypted requests send the cookie.
    public var isSecure: Bool
    /// Whether the cookie is hidden from a web page's scripts. Apps always see it.
    public var isHTTPOnly: Bool
    /// The rule for requests after a redirect from another site; unspecified by default.
    public var sameSite: SameSite

    /// Creates a cookie.
    ///
    /// A jar ignores a cookie that the URL is not allowed to set, and one with more than 4,096 bytes of name and value.
    public init(
        name: String,
        value: String,
        domain: String? = nil,
        path: String? = nil,
        expires: Date? = nil,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false,
        sameSite: SameSite = .unspecified
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
    }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    public var description: String {
        var parts = [name.isEmpty ? Redaction.placeholder : "\(name)=\(Redaction.placeholder)"]
        if let domain { parts.append("Domain=\(domain)") }
        if let path { parts.append("Path=\(path)") }
        if let expires { parts.append("Expires=\(expires)") }
        if isSecure { parts.append("Secure") }
        if isHTTPOnly { parts.append("HttpOnly") }
        if sameSite != .unspecified { parts.append("SameSite=\(sameSite.rawValue)") }
        return parts.joined(separator: "; ")
    }

    public var customMirror: Mirror { Mirror(self, children: ["cookie": description], displayStyle: .struct) }
}

extension Cookie {
    /// The cookie's text in a `Cookie` header. For a cookie without a name, this is its value.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Whether the name and value can be sent: no control characters except tabs, and at most 4096 bytes.
    var isLegal: Bool {
        guard !name.isEmpty || !value.isEmpty, name.utf8.count + value.utf8.count <= 4096 else { return false }
        return name.utf8.allSatisfy(\.isLegalInCookie) && value.utf8.allSatisfy(\.isLegalInCookie)
    }

    /// Whether the name, or the value of a nameless cookie, begins with a prefix, ignoring case.
    ///
    /// A nameless cookie with the value `__Host-a=1` is sent exactly like a cookie with this name.
    func begins(with prefix: String) -> Bool {
        let text = name.isEmpty ? value : name
        return text.utf8.count >= prefix.utf8.count
            && String(decoding: text.utf8.prefix(prefix.utf8.count), as: UTF8.self).equalsIgnoringASCIICase(prefix)
    }
}

extension UInt8 {
    /// Whether a cookie can contain the byte: anything except control characters other than tabs.
    var isLegalInCookie: Bool { (self >= 0x20 && self != 0x7F) || self == 0x09 }
}
