#if canImport(Security)
import Foundation
import Security

/// Evaluates servers' certificates against a policy.
struct ServerTrust: Sendable {
    private let policy: TLSPolicy
    /// CA certificates in DER form. The system's CAs have no entries here.
    private let certificates: [TLSPolicy.Authorities: [Data]]

    init(_ policy: TLSPolicy) {
        self.policy = policy
        var certificates: [TLSPolicy.Authorities: [Data]] = [:]
        for authorities in [policy.authorities] + policy.hostAuthorities.values {
            switch authorities {
            case .system: break
            case .pem(let text): certificates[authorities] = text.certificatesInPEM
            case .file(let url): certificates[authorities] = (try? Data(contentsOf: url))?.certificatesInPEM ?? []
            }
        }
        self.certificates = certificates
    }

    func answer(_ trust: SecTrust, host: String) -> ChallengeAnswer {
        let pins = policy.pins(for: host)
        let authorities = certificates[policy.authorities(for: host)]
        if authorities == nil, pins.isEmpty, policy.hostVerification == .full { return .asTheSystemDoes }
        if let problem = problem(with: trust, authorities) { return .refusing(problem) }
        if !pins.isEmpty {
            guard let own = chain(of: trust).first, pins.contains(where: { $0.matches(certificate: own) }) else {
                return .refusing(.pinMismatch)
            }
        }
        return .using(URLCredential(trust: trust))
    }

    /// - Parameter authorities: the only CAs that may have signed; `nil` for the system's.
    private func problem(with trust: SecTrust, _ authorities: [Data]?) -> TransportFailure.CertificateProblem? {
        if policy.hostVerification == .dangerouslyDisabled {
            SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, nil))
        }
        if let authorities {
            let anchors = authorities.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, true)
        }
        var error: CFError?
        guard !SecTrustEvaluateWithError(trust, &error) else { return nil }
        return switch error.map(CFErrorGetCode).map(OSStatus.init(truncatingIfNeeded:)) {
        case errSecCertificateExpired: .expired
        case errSecCertificateNotValidYet: .notYetValid
        case errSecHostNameMismatch: .wrongHost
        case errSecNotTrusted, errSecCreateChainFailed: isSelfSigned(trust) ? .selfSigned : .untrusted
        default: .unknown
        }
    }

    private func isSelfSigned(_ trust: SecTrust) -> Bool {
        let chain = chain(of: trust)
        return chain.count == 1 && chain.first.flatMap(CertificateFields.init(der:))?.isSelfIssued == true
    }

    /// The certificates, starting with the server's own.
    private func chain(of trust: SecTrust) -> [Data] {
        let certificates = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        return certificates.map { SecCertificateCopyData($0) as Data }
    }
}

/// A client certificate and its key from the system.
struct ClientIdentity: Sendable {
    /// The credential, which is Sendable on every platform, unlike the identity in it.
    let credential: URLCredential

    init(_ certificate: ClientCertificate) throws(NetworkError) {
        guard case .pkcs12(let url, let password) = certificate else {
            throw NetworkError(
                kind: .unsupported,
                reason: "URLSession takes a client certificate as a PKCS#12 file, not as PEM files"
            )
        }
        guard let data = try? Data(contentsOf: url) else { throw Self.unusable(url, "it cannot be read") }
        var options: [String: Any] = [kSecImportExportPassphrase as String: password ?? ""]
        // Otherwise macOS adds the key to the user's keychain.
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            options[kSecImportToMemoryOnly as String] = true
        }
        var items: CFArray?
        let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else {
            throw Self.unusable(url, status == errSecAuthFailed ? "the password is wrong" : "status \(status)")
        }
        guard let item = (items as? [[String: Any]])?.first, let found = item[kSecImportItemIdentity as String] else {
            throw Self.unusable(url, "it has no certificate with a key")
        }
        guard CFGetTypeID(found as CFTypeRef) == SecIdentityGetTypeID() else { throw Self.unusable(url, "no identity") }
        // A conditional cast to a Core Foundation type does not compile. The type identifier was checked instead.
        let identity = found as! SecIdentity
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        credential = URLCredential(identity: identity, certificates: Array(chain.dropFirst()), persistence: .forSession)
    }

    private static func unusable(_ url: URL, _ why: String) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: "the client certificate \(url.path) cannot be used: \(why)")
    }
}
#endif
