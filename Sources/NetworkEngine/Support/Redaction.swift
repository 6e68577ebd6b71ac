package import Foundation

/// What must never be shown: decides by name which headers and query items carry secrets.
package enum Redaction {
    /// What stands where a secret was.
    package static let placeholder = "<redacted>"

    /// Whether a header of this name carries a secret.
    package static func isSecret(header name: String) -> Bool {
        let name = name.lowercased()
        return secretHeaders.contains(name) || secretWords.contains { name.contains($0) }
    }

    /// Whether a query item or form field of this name carries a secret.
    package static func isSecret(parameter name: String) -> Bool {
        let name = name.lowercased()
        return secretParameters.contains(name) || secretWords.contains { name.contains($0) }
    }

    /// The address without credentials and without the values of secret query items.
    package static func describe(_ url: URL) -> String {
        var text = url.absoluteString
        if let scheme = text.range(of: "://") {
            let authorityEnd = text[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
            if let at = text[scheme.upperBound..<authorityEnd].lastIndex(of: "@") {
                text.removeSubrange(scheme.upperBound...at)
            }
        }
        if let hash = text.firstIndex(of: "#") { text.removeSubrange(hash...) }
        guard let mark = text.firstIndex(of: "?") else { return text }
        let items = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        return text[...mark] + items.map(describe(queryItem:)).joined(separator: "&")
    }

    private static func describe(queryItem item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = String(item[..<equals])
        return isSecret(parameter: name.removingPercentEncoding ?? name) ? "\(name)=\(placeholder)" : String(item)
    }

    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "set-cookie2",
        "www-authenticate", "proxy-authenticate", "authentication-info", "x-csrf", "x-xsrf",
    ]
    private static let secretParameters: Set<String> = [
        "code", "sig", "key", "auth", "pwd", "pass", "pin", "otp", "jwt", "sid", "assertion", "client_assertion",
    ]
    private static let secretWords = [
        "token", "secret", "password", "passwd", "passphrase", "api-key", "api_key", "apikey", "access-key",
        "access_key",
        "accesskey", "private-key", "private_key", "credential", "signature", "session", "authorization", "x-auth",
    ]
}
