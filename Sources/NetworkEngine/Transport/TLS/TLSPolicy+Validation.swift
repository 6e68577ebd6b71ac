package import Foundation

extension TLSPolicy {
    /// Throws `.invalidRequest` for an invalid policy: a malformed pin, a pin that no host can match, or a file that is
    /// missing or has the wrong content. The reason identifies it.
    ///
    /// Transports call this before their first send. To find errors early, call it when your program starts.
    public func validate() throws(NetworkError) {
        if let fault = Self.fault(of: authorities) ?? hostAuthoritiesFault ?? pinsFault ?? clientCertificateFault {
            throw NetworkError(kind: .invalidRequest, reason: "TLSPolicy: \(fault)")
        }
    }

    private static func fault(of authorities: Authorities) -> String? {
        switch authorities {
        case .system: return nil
        case .pem(let text): return text.hasCertificate ? nil : "the authorities have no certificate in PEM form"
        case .file(let url):
            if let fault = url.fileFault { return fault }
            guard let text = try? Data(contentsOf: url), text.hasCertificate else {
                return "\(url.path) has no certificate in PEM form"
            }
            return nil
        }
    }

    private var hostAuthoritiesFault: String? {
        if let fault = Self.fault(ofHosts: hostAuthorities.keys, "the authorities") { return fault }
        return hostAuthorities.sorted(byText: { $0.key }).lazy.compactMap { Self.fault(of: $0.value) }.first
    }

    /// The reason why names are invalid or do not belong to different hosts.
    private static func fault(ofHosts names: some Collection<String>, _ subject: String) -> String? {
        var spellings: [String: String] = [:]
        for host in names.sorted(byText: { $0 }) {
            if let fault = host.hostPatternFault { return fault }
            if let other = spellings.updateValue(host, forKey: host.pinnedHost) {
                return "\(subject) for \(other) and \(host) are for the same host"
            }
        }
        return nil
    }

    private var pinsFault: String? {
        if let fault = Self.fault(ofHosts: pins.keys, "the pins") { return fault }
        for (host, list) in pins.sorted(byText: { $0.key }) {
            if list.isEmpty { return "the list of pins for \(host) is empty" }
            if let pin = list.first(where: { $0.digest == nil }) { return "a pin for \(host) is malformed: \(pin)" }
        }
        return nil
    }

    private var clientCertificateFault: String? {
        if clientCertificate?.password?.utf8.contains(0) == true {
            return "the client certificate's password has NUL in it"
        }
        for host in clientCertificateHosts.sorted(byText: { $0 }) {
            if let fault = host.hostPatternFault { return fault }
        }
        if clientCertificate == nil, !clientCertificateHosts.isEmpty {
            return "there are hosts for no clientCertificate"
        }
        return clientCertificate?.files.lazy.compactMap(\.fileFault).first
    }
}

extension String {
    /// The reason why this is neither a host name nor a pattern.
    fileprivate var hostPatternFault: String? {
        HostName.fault(in: hasPrefix("*.") ? String(dropFirst(2)) : self).map { fault in
            "\(debugDescription) \(fault); write the name of a host, or a pattern such as \"*.example.com\""
        }
    }
}

extension URL {
    /// The reason why the file cannot be read.
    fileprivate var fileFault: String? {
        guard isFileURL else { return "\(Redaction.describe(self)) is not the URL of a file" }
        if path.utf8.contains(0) { return "the path of a file has NUL in it" }
        return FileManager.default.isReadableFile(atPath: path) ? nil : "\(path) is not there or cannot be read"
    }
}

extension Data {
    fileprivate var hasCertificate: Bool { range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil }
}

extension TLSPolicy.Pin {
    /// Whether a DER certificate matches this pin.
    package func matches(certificate: Data) -> Bool {
        guard let digest else { return false }
        switch self {
        case .publicKey:
            return CertificateFields(der: certificate).map { SHA256.digest(of: $0.publicKeyInfo) } == digest
        case .certificate:
            return SHA256.digest(of: certificate) == digest
        }
    }
}

extension Data {
    /// The certificates in PEM text, in DER form. Other kinds of blocks are skipped.
    package var certificatesInPEM: [Data] {
        String(decoding: self, as: UTF8.self)
            .components(separatedBy: "-----BEGIN CERTIFICATE-----")
            .dropFirst()
            .compactMap { block in
                guard let end = block.range(of: "-----END CERTIFICATE-----") else { return nil }
                return Data(base64Encoded: String(block[..<end.lowerBound]), options: .ignoreUnknownCharacters)
            }
    }
}
