import Foundation

extension TLSPolicy {
    /// A digest that a server's certificate must match.
    public enum Pin: Hashable, Sendable {
        /// The SHA-256 of the public key (its `SubjectPublicKeyInfo`), in Base64 after `sha256//`.
        ///
        /// It remains valid when the certificate is renewed with the same key. To print it:
        ///
        ///     openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der |
        ///         openssl dgst -sha256 -binary | base64
        case publicKey(String)
        /// The SHA-256 of the whole certificate, in hexadecimal digits, with or without colons between the bytes.
        case certificate(sha256: String)

        /// The 32 bytes to compare with; `nil` if the text is not a digest.
        var digest: [UInt8]? {
            let bytes: [UInt8]? =
                switch self {
                case .publicKey(let text):
                    text.hasPrefix("sha256//")
                        ? Data(base64Encoded: String(text.dropFirst(8))).map { [UInt8]($0) } : nil
                case .certificate(let digits):
                    [UInt8](hexadecimal: digits.filter { $0 != ":" })
                }
            return bytes?.count == 32 ? bytes : nil
        }
    }

    /// The pins for a host's certificate; empty for a host without pins.
    public func pins(for host: String) -> [Pin] {
        Self.value(for: host, in: pins) ?? []
    }

    /// The CAs that may sign a host's certificate.
    package func authorities(for host: String) -> Authorities {
        Self.value(for: host, in: hostAuthorities) ?? authorities
    }

    /// The value for a host by its name, or else by the pattern that it matches.
    private static func value<Value>(for host: String, in table: [String: Value]) -> Value? {
        guard !table.isEmpty else { return nil }
        func value(named name: String) -> Value? {
            // Most names are already in the form that is compared.
            table[name] ?? table.first { $0.key.pinnedHost == name }?.value
        }
        let host = host.pinnedHost
        if let own = value(named: host) { return own }
        guard let dot = host.firstIndex(of: ".") else { return nil }
        return value(named: "*" + host[dot...])
    }

    /// Whether the client certificate is sent to a host.
    ///
    /// - Parameter isForeign: whether the request has left its call's origin.
    package func showsClientCertificate(to host: String, isForeign: Bool) -> Bool {
        guard clientCertificate != nil else { return false }
        if clientCertificateHosts.isEmpty { return !isForeign }
        let host = host.pinnedHost
        let pattern = host.firstIndex(of: ".").map { "*" + host[$0...] }
        return clientCertificateHosts.contains { $0.pinnedHost == host || $0.pinnedHost == pattern }
    }
}

extension String {
    /// The host name in the form that is compared: ASCII, lowercase, without a trailing dot.
    var pinnedHost: String {
        let name = HostName.comparable(self)
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
